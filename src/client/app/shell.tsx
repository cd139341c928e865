/** The page: the map, and the panel with the tabs beside or above it. */

import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { AnalysePanel } from '../analyse/analyse-panel.js';
import { ExplorePanel } from '../explore/explore-panel.js';
import { MapCanvas } from '../map/map-canvas.js';
import { MapControls } from '../map/map-controls.js';
import { OperatePanel } from '../operate/operate-panel.js';
import { PlanPanel } from '../plan/plan-panel.js';
import { change, state } from '../state/address.js';
import { TABS, type Tab } from '../state/fields.js';
import { isNarrow } from '../state/sheet-size.js';
import { t } from '../text/texts.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { shownName } from '../ui/title.js';
import { RouterChoice } from './router-choice.js';
import { SettingsMenu } from './settings-menu.js';
import { Sheet } from './sheet.js';

const PANELS: Readonly<Record<Tab, { Panel: ComponentType; icon: IconName }>> = {
  plan: { Panel: PlanPanel, icon: 'pin' },
  explore: { Panel: ExplorePanel, icon: 'search' },
  analyse: { Panel: AnalysePanel, icon: 'clock' },
  operate: { Panel: OperatePanel, icon: 'settings' },
};

/** The whole page, for a server that has the router. */
export function Shell() {
  return (
    <>
      {/* First, as keys and screen readers begin with it. */}
      <Sheet>
        <header class="head">
          {/* On narrow screens only screen readers have it. */}
          <h1 class={isNarrow.value ? 'unseen' : undefined}>{t('common.title')}</h1>
          <RouterChoice />
          <SettingsMenu />
        </header>
        <Tabs />
        <Panes />
      </Sheet>
      <section aria-label={t('common.map')}>
        <MapCanvas />
        <MapControls />
      </section>
    </>
  );
}

/** Tabs; arrow keys move between them. */
function Tabs() {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = TABS.indexOf(state.tab.value);
    const next = TABS[(at + by + TABS.length) % TABS.length];
    if (next === undefined) return;
    change({ tab: next });
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t('common.tabs')} ref={list} onKeyDown={move}>
      {TABS.map((tab) => {
        const selected = tab === state.tab.value;
        return (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={selected}
            // Only the pane of the chosen tab is on the page.
            aria-controls={selected ? `pane-${tab}` : undefined}
            tabIndex={selected ? 0 : -1}
            onClick={() => change({ tab })}
          >
            <Icon name={PANELS[tab].icon} />
            <span>{t(`common.tab.${tab}`)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The panel of the chosen tab. Other panels are removed, together with what they draw on the map. */
function Panes() {
  const tab = state.tab.value;
  const { Panel } = PANELS[tab];
  const pane = useKeptFocus<HTMLDivElement>();
  const thing = state.thing.value;
  const title = shownName.value || t(`common.tab.${tab}`);
  useLayoutEffect(() => {
    pane.current?.scrollTo(0, 0);
    // The new content is read from its beginning.
  }, [tab, thing?.kind, thing?.id]);
  useEffect(() => {
    document.title = `${title} – ${t('common.title')}`;
  });
  return (
    <div ref={pane} class="pane" role="tabpanel" tabIndex={-1} id={`pane-${tab}`} aria-labelledby={`tab-${tab}`}>
      <Panel />
    </div>
  );
}
