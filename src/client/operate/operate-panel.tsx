/** The tab for the people who run the server. */

import './operate.css';
import { useMemo, useState } from 'preact/hooks';
import { OperationApi } from '../api/operation.js';
import { useApp } from '../state/shown.js';
import { t } from '../text/texts.js';
import { LoginForm } from '../ui/login-form.js';
import { LoadView } from './load-view.js';
import { RouterCard } from './router-card.js';
import { UploadForm } from './upload-form.js';

/** Load, routers, and what changes them. */
export function OperatePanel() {
  const { server, routers } = useApp();
  const api = useMemo(() => new OperationApi(server.base), [server]);
  const [open, setOpen] = useState<string>();
  return (
    <div class="operate">
      <LoadView api={api} />
      <section>
        <h2>{t('operate.routers')}</h2>
        {routers.map((router) => (
          <RouterCard
            key={router.routerId}
            api={api}
            router={router}
            open={open === router.routerId}
            onOpen={() => setOpen(open === router.routerId ? undefined : router.routerId)}
          />
        ))}
      </section>
      {!server.insecure && (
        <section>
          <h2>{t('operate.login')}</h2>
          <p class="hint">{t('operate.loginFor')}</p>
          <LoginForm />
        </section>
      )}
      <UploadForm api={api} />
    </div>
  );
}
