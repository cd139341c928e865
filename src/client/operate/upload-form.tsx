/** Sends a graph, or the inputs of one, to the server. */

import { useMemo } from 'preact/hooks';
import type { OperationApi } from '../api/operation.js';
import { LatestRequest } from '../state/latest-request.js';
import { loginCredentials } from '../state/login.js';
import { useApp } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Button, InputField } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';

export function UploadForm({ api }: { api: OperationApi }) {
  const app = useApp();
  const sending = useMemo(() => new LatestRequest<string>(), []);
  const { value: done, problem, running } = sending.status.value;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const file = fields.get('file');
    if (!(file instanceof File)) return;
    const isZip = /\.zip$/i.test(file.name);
    sending.run(async () => {
      const answer = await api.upload(String(fields.get('router')), file, isZip, loginCredentials());
      await app.findRouters();
      return answer;
    });
  };
  return (
    <section>
      <h2>{t('operate.upload')}</h2>
      <form class="upload" onSubmit={send}>
        <InputField
          label={t('operate.routerId')}
          name="router"
          required
          pattern="[\w\-]+"
          // Browsers say it where the name does not match.
          title={t('operate.routerIdRule')}
          autocomplete="off"
        />
        <InputField label={t('operate.file')} name="file" type="file" required />
        <Button sends icon="upload" disabled={running}>
          {t('operate.send')}
        </Button>
      </form>
      <div role="status">
        {running && t('operate.sending')}
        {done !== undefined && !running && t('operate.sent')}
      </div>
      {problem && <Failure problem={problem} />}
    </section>
  );
}
