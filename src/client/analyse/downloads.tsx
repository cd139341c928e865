/** The analysis as files. */

import { useMemo } from 'preact/hooks';
import type { AnalysisApi } from '../api/analysis.js';
import { LatestRequest } from '../state/latest-request.js';
import { t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { Icon } from '../ui/icon.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { isochroneParameters, type ReachQuery, surfaceParameters } from './reach-query.js';

/** What the files of isochrones are called. */
const ISOCHRONES = 'isochrones';

/** Links to the isochrones, and a raster of the times. Points have their own table. */
export function Downloads({ api, query }: { api: AnalysisApi; query: ReachQuery }) {
  const making = useMemo(() => new LatestRequest<void>(), []);
  const root = useKeptFocus<HTMLElement>();
  const [side] = query.sides;
  if (!side) return null;
  const saveRaster = () =>
    making.run(async (signal) => {
      const id = await api.surface(surfaceParameters(side, query), signal);
      save(api.geoTiffUrl(id), 'times.tif');
    });
  const isochrones = (format: 'geojson' | 'shapefile') =>
    api.isochroneUrl(isochroneParameters(side, query, { format, name: ISOCHRONES }));
  const { problem } = making.status.value;
  return (
    <section ref={root} tabIndex={-1} class="part">
      <h2>{t('analyse.downloads')}</h2>
      <div class="row">
        {query.window === 0 && (
          <>
            <FileLink href={isochrones('geojson')} name={`${ISOCHRONES}.geojson`}>
              GeoJSON
            </FileLink>
            <FileLink href={isochrones('shapefile')} name={`${ISOCHRONES}.zip`}>
              Shapefile
            </FileLink>
          </>
        )}
        <Button icon="download" onClick={saveRaster}>
          GeoTIFF
        </Button>
      </div>
      {problem && <Failure problem={problem} onRetry={saveRaster} isByHand />}
    </section>
  );
}

function FileLink({ href, name, children }: { href: string; name: string; children: string }) {
  return (
    <a class="button plain" href={href} download={name}>
      <Icon name="download" size={18} />
      {children}
    </a>
  );
}

function save(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
