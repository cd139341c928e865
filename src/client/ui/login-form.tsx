/** Name and password, for what only some users may do. */

import { useId } from 'preact/hooks';
import { login } from '../state/login.js';
import { t } from '../text/texts.js';
import { Button } from './controls.js';

/** The form; after the login, the name of the user. */
export function LoginForm() {
  const id = useId();
  const known = login.value;
  if (known) {
    return (
      <p class="login">
        {t('common.loggedIn', { name: known.name })}
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
  return (
    <form
      class="login"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        login.value = { name: String(fields.get('name')), password: String(fields.get('password')) };
      }}
    >
      <div class="field">
        <label for={`${id}-name`}>{t('common.userName')}</label>
        <input id={`${id}-name`} name="name" autocomplete="username" required />
      </div>
      <div class="field">
        <label for={`${id}-password`}>{t('common.password')}</label>
        <input id={`${id}-password`} name="password" type="password" autocomplete="current-password" required />
      </div>
      <button type="submit" class="button plain">
        {t('common.logIn')}
      </button>
    </form>
  );
}
