/** Name and password, for what only some users may do. */

import { useMemo } from 'preact/hooks';
import { OperationApi } from '../api/operation.js';
import { LatestRequest } from '../state/latest-request.js';
import { credentialsOf, type Login, login } from '../state/login.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Button, InputField } from './controls.js';
import { Failure } from './failure.js';
import { useKeptFocus } from './kept-focus.js';

/** The form; after the login, the name of the user. */
export function LoginForm() {
  const root = useKeptFocus<HTMLDivElement>();
  const known = login.value;
  return (
    <div ref={root} tabIndex={-1} class="login-form">
      {known ? <KnownUser name={known.name} /> : <Fields />}
    </div>
  );
}

function KnownUser({ name }: { name: string }) {
  return (
    <p class="login">
      {t('common.loggedIn', { name })}
      <Button
        kind="quiet"
        onClick={() => {
          login.value = undefined;
        }}
      >
        {t('common.logOut')}
      </Button>
    </p>
  );
}

/** Asks for name and password until the server accepts them. */
function Fields() {
  const { server } = useApp();
  const { routerId } = useShown().info;
  const checking = useMemo(() => new LatestRequest<void>(), []);
  const { running, problem } = checking.status.value;
  const logIn = (given: Login) =>
    checking.run(async (signal) => {
      await new OperationApi(server.base).checkRole(routerId, credentialsOf(given), signal);
      login.value = given;
    });
  return (
    <>
      <form
        class="login"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          logIn({ name: String(fields.get('name')), password: String(fields.get('password')) });
        }}
      >
        <InputField label={t('common.userName')} name="name" autocomplete="username" required />
        <InputField
          label={t('common.password')}
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Button sends disabled={running}>
          {t('common.logIn')}
        </Button>
      </form>
      {problem && <Failure problem={problem} />}
    </>
  );
}
