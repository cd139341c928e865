/** Makes a scenario: changes are added by clicking on lines and stops of the map, and saved on the server. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Scenario } from '../../serialization/answers/index.js';
import type { AnalysisApi } from '../api/analysis.js';
import { change } from '../state/address.js';
import { LatestRequest } from '../state/latest-request.js';
import { loginCredentials } from '../state/login.js';
import { useApp, useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Button, IconButton, InputField } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { LoginForm } from '../ui/login-form.js';
import { scenarioChanges } from './scenario-choice.js';
import {
  type Change,
  changes,
  type Drawing,
  drawing,
  FIRST_HEADWAY_MINUTES,
  isUnfinished,
  lineStops,
  modifications,
  movedStop,
  namedStops,
} from './scenario-draft.js';
import { useDraftOnMap } from './scenario-map.js';
import { askServedStops } from './scenario-stops.js';

const TOOLS = ['remove', 'headway', 'close', 'move', 'line'] as const satisfies readonly Drawing[];
const FIRST_KM_PER_HOUR = 20;

/** The editor; its draft is lost when it is closed. */
export function ScenarioEditor({ api, onClose }: { api: AnalysisApi; onClose: () => void }) {
  useDraftOnMap();
  useEffect(
    () => () => {
      drawing.value = undefined;
      changes.value = [];
      lineStops.value = [];
      movedStop.value = undefined;
    },
    [],
  );
  return (
    <div class="editor">
      <div class="tools">
        {TOOLS.map((tool) => (
          <Button
            key={tool}
            pressed={drawing.value === tool}
            onClick={() => {
              drawing.value = drawing.value === tool ? undefined : tool;
              lineStops.value = [];
              movedStop.value = undefined;
            }}
          >
            {t(`analyse.tool.${tool}`)}
          </Button>
        ))}
      </div>
      {drawing.value && <p class="hint">{toolHint(drawing.value)}</p>}
      {drawing.value === 'line' && <NewLine />}
      <Changes />
      <Save api={api} onClose={onClose} />
    </div>
  );
}

/** What the next click does. */
function toolHint(tool: Drawing): string {
  const stop = movedStop.value;
  return tool === 'move' && stop ? t('analyse.tool.move.where', { name: stop.name }) : t(`analyse.tool.${tool}.hint`);
}

/** The stops of the new line so far. */
function NewLine() {
  const [name, setName] = useState('');
  const stops = lineStops.value;
  const add = () => {
    const line = { name: name.trim(), stops, minutes: FIRST_HEADWAY_MINUTES, kmPerHour: FIRST_KM_PER_HOUR };
    changes.value = [...changes.value, { kind: 'line', ...line }];
    lineStops.value = [];
    drawing.value = undefined;
  };
  return (
    <>
      <ol class="draft-stops">
        {stops.map((stop, position) => (
          <li key={position}>{stop.name}</li>
        ))}
      </ol>
      {stops.length > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            lineStops.value = stops.slice(0, -1);
          }}
        >
          {t('analyse.removeLast')}
        </Button>
      )}
      <NameField label={t('analyse.lineName')} name={name} onChange={setName} />
      <Button disabled={stops.length < 2 || name.trim() === ''} onClick={add}>
        {t('analyse.addLine')}
      </Button>
    </>
  );
}

/** The changes so far, with fields for their numbers. */
function Changes() {
  const set = (position: number, changed: Change | undefined) => {
    changes.value = changes.value.flatMap((one, i) => (i === position ? (changed ? [changed] : []) : [one]));
  };
  return (
    <ul class="changes">
      {changes.value.map((one, position) => (
        <li key={position}>
          <span>{changeText(one)}</span>
          <IconButton icon="close" label={t('analyse.takeBack')} onClick={() => set(position, undefined)} />
          {(one.kind === 'headway' || one.kind === 'line') && (
            <NumberField
              label={t('analyse.everyMinutes')}
              value={one.minutes}
              onChange={(minutes) => set(position, { ...one, minutes })}
            />
          )}
          {one.kind === 'headway' && (
            <>
              <TimeField
                label={t('analyse.headwayFrom')}
                value={one.from}
                onChange={(from) => set(position, { ...one, from })}
              />
              <TimeField
                label={t('analyse.headwayUntil')}
                value={one.until}
                onChange={(until) => set(position, { ...one, until })}
              />
            </>
          )}
          {one.kind === 'line' && (
            <NumberField
              label={t('analyse.kmPerHour')}
              value={one.kmPerHour}
              onChange={(kmPerHour) => set(position, { ...one, kmPerHour })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function changeText(one: Change): string {
  switch (one.kind) {
    case 'remove':
      return t('analyse.change.remove', { name: one.line.name });
    case 'headway':
      return t('analyse.change.headway', { name: one.line.name });
    case 'close':
      return t('analyse.change.close', { name: one.stop.name });
    case 'move':
      return t('analyse.change.move', { name: one.stop.name });
    default:
      return t('analyse.change.line', { name: one.name, count: one.stops.length });
  }
}

function NameField({ label, name, onChange }: { label: string; name: string; onChange: (name: string) => void }) {
  return <InputField label={label} value={name} onInput={({ currentTarget }) => onChange(currentTarget.value)} />;
}

function NumberField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <InputField
      label={label}
      look="number"
      type="number"
      min={1}
      max={240}
      value={value}
      onChange={({ currentTarget: { valueAsNumber: number } }) => number >= 1 && onChange(number)}
    />
  );
}

function TimeField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const set = ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value);
  return <InputField label={label} look="time" type="time" value={value} onChange={set} />;
}

/** Saves the scenario, compares the schedule with it, and shows the outcome. */
function Save({ api, onClose }: { api: AnalysisApi; onClose: () => void }) {
  const { server } = useApp();
  const { api: router } = useShown();
  const [name, setName] = useState('');
  const saving = useMemo(() => new LatestRequest<Scenario>(), []);
  const { value: saved, problem, running } = saving.status.value;
  const scenarioId = name
    .trim()
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .toLowerCase();
  const save = async () => {
    const all = changes.value;
    await saving.run(async (signal) => {
      const served = await askServedStops(router, namedStops(all), signal);
      const scenario = { description: name.trim(), modifications: modifications(all, served) };
      return api.putScenario(scenarioId, scenario, loginCredentials());
    });
    if (saving.status.value.problem) return;
    scenarioChanges.value += 1;
    drawing.value = undefined;
    change({ compare: 'scenario', otherScenario: scenarioId });
  };
  const warnings = (saved?.modifications ?? []).flatMap(({ warnings: some }) => (Array.isArray(some) ? some : []));
  return (
    <>
      <NameField label={t('analyse.scenarioName')} name={name} onChange={setName} />
      {problem && <Failure problem={problem} />}
      {problem?.text !== undefined && !server.insecure && <LoginForm />}
      {warnings.length > 0 && (
        <ul class="hint">
          {warnings.map((warning) => (
            <li key={String(warning)}>{String(warning)}</li>
          ))}
        </ul>
      )}
      {saved && <p>{t('analyse.saved')}</p>}
      {isUnfinished.value && <p class="hint">{t('analyse.unfinished')}</p>}
      <div class="row">
        <Button
          kind="main"
          disabled={running || isUnfinished.value || scenarioId === '' || changes.value.length === 0}
          onClick={save}
        >
          {t('analyse.save')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </div>
    </>
  );
}
