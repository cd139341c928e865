/** Language, colours and units. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LANGUAGES, language, THEMES, themeChoice, UNITS, units } from '../state/preferences.js';
import { useApp } from '../state/shown.js';
import { t } from '../text/texts.js';
import { IconButton, Select } from '../ui/controls.js';

/** Languages by their own names. */
const LANGUAGE_NAMES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  fi: 'Suomi',
  nb: 'Norsk bokmål',
} as const;

/** A button and the menu that it opens. */
export function SettingsMenu() {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      const escaped = event instanceof KeyboardEvent && event.key === 'Escape';
      const outside = event instanceof PointerEvent && !root.current?.contains(event.target as Node);
      if (escaped || outside) setOpen(false);
      if (escaped) root.current?.querySelector('button')?.focus();
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
    };
  }, [isOpen]);
  return (
    <div class="settings" ref={root}>
      <IconButton icon="settings" label={t('common.settings')} expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && <Settings />}
    </div>
  );
}

function Settings() {
  const { server } = useApp();
  return (
    <section class="menu" aria-label={t('common.settings')}>
      <Select
        label={t('common.language')}
        value={language.value}
        options={LANGUAGES.map((code) => [code, LANGUAGE_NAMES[code]] as const)}
        onChange={(value) => {
          language.value = value;
        }}
      />
      <Select
        label={t('common.theme')}
        value={themeChoice.value}
        options={THEMES.map((name) => [name, t(`common.theme.${name}`)] as const)}
        onChange={(value) => {
          themeChoice.value = value;
        }}
      />
      <Select
        label={t('common.units')}
        value={units.value}
        options={UNITS.map((name) => [name, t(`common.units.${name}`)] as const)}
        onChange={(value) => {
          units.value = value;
        }}
      />
      <a href={`${server.base}/docs`}>{t('common.interface')}</a>
    </section>
  );
}
