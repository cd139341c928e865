/** Name and password, for what only some users may do. */

import { login } from '../state/login.js';
import { t } from '../text/texts.js';
import { Button, InputField } from './controls.js';

/** The form; after the login, the name of the user. */
export function LoginForm() {
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
      <InputField label={t('common.userName')} name="name" autocomplete="username" required />
      <InputField
        label={t('common.password')}
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
      <button type="submit" class="button plain">
        {t('common.logIn')}
      </button>
    </form>
  );
}
