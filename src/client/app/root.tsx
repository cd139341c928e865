/** The page while the server and its routers are not known yet, and when something is wrong with them. */

import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { RouterInfo } from '../api/answers.js';
import type { Problem } from '../api/problem.js';
import { Server } from '../api/server.js';
import { changeRouter, state } from '../state/address.js';
import { LatestRequest } from '../state/latest-request.js';
import { App, AppContext, chosenRouter, routerName, type Shown, ShownContext } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { Shell } from './shell.js';

export function Root() {
  useKeptFocus(document.getElementById('page'));
  const request = useMemo(() => new LatestRequest<App>(), []);
  useEffect(() => {
    request.run(findApp);
  }, [request]);
  const { value: app, problem } = request.status.value;
  if (problem) return <Trouble request={request} problem={problem} />;
  if (!app) return <Starting />;
  return (
    <AppContext.Provider value={app}>
      {app.routers.length === 0 ? (
        <Message>
          <p>{t('common.noAreas')}</p>
          <Button onClick={() => request.retry()}>{t('common.retry')}</Button>
        </Message>
      ) : (
        <ChosenRouter app={app} />
      )}
    </AppContext.Provider>
  );
}

async function findApp(): Promise<App> {
  const server = await Server.find();
  return new App(server, await server.routers());
}

/** The page for the router that the address names. */
function ChosenRouter({ app }: { app: App }) {
  useKeptFocus(document.getElementById('page'));
  const request = useMemo(() => new LatestRequest<Shown>(), []);
  const chosen = useMemo(() => chosenRouter(app), [app]);
  useEffect(
    () =>
      effect(() => {
        const info = chosen.value;
        if (info) request.run(() => show(app, info));
      }),
    [app, chosen, request],
  );
  const { value: shown, problem } = request.status.value;
  if (!chosen.value) return <UnknownRouter app={app} />;
  if (problem) return <Trouble request={request} problem={problem} />;
  if (shown?.info !== chosen.value) return <Starting />;
  return (
    <ShownContext.Provider value={shown}>
      <Shell key={shown.info.routerId} />
    </ShownContext.Provider>
  );
}

async function show({ server }: App, info: RouterInfo): Promise<Shown> {
  const api = server.router(info.routerId);
  return { info, api, calendar: await api.calendar() };
}

/** Shown when a link names a router that the server does not have: a list of those that it has. */
function UnknownRouter({ app }: { app: App }) {
  const name = state.router.value;
  return (
    <Message>
      <p>{t('common.unknownArea', { name })}</p>
      {app.routers.map(({ routerId }) => (
        <Button key={routerId} onClick={() => changeRouter(routerId)}>
          {routerName(routerId)}
        </Button>
      ))}
    </Message>
  );
}

function Trouble({ request, problem }: { request: LatestRequest<unknown>; problem: Problem }) {
  return (
    <Message>
      <Failure problem={problem} onRetry={() => request.retry()} />
    </Message>
  );
}

/** index.html has the same element with the name of the product, for the time until the script runs. */
function Starting() {
  return (
    <main class="starting">
      <p role="status">{t('common.loading')}</p>
    </main>
  );
}

/** A message in the middle of the page. */
function Message({ children }: { children: ComponentChildren }) {
  return <main class="message">{children}</main>;
}
