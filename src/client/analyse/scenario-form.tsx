/** Which scenario is analysed, and a new one made by clicking on the map. */

import { useState } from 'preact/hooks';
import type { AnalysisApi } from '../api/analysis.js';
import { change, state } from '../state/address.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { ScenarioChoice } from './scenario-choice.js';
import { ScenarioEditor } from './scenario-editor.js';

/** The choice, and the editor when it is open. */
export function ScenarioForm({ api }: { api: AnalysisApi }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <section class="part">
      <ScenarioChoice
        api={api}
        label={t('analyse.scenario')}
        value={state.scenario.value}
        onChange={(scenario) => change({ scenario })}
      />
      {isEditing ? (
        <ScenarioEditor api={api} onClose={() => setEditing(false)} />
      ) : (
        <Button icon="plus" onClick={() => setEditing(true)}>
          {t('analyse.newScenario')}
        </Button>
      )}
    </section>
  );
}
