/** The places that are offered below a field. */

import { t } from '../text/texts.js';
import { Icon, type IconName } from '../ui/icon.js';
import type { Category, Offer } from './found-place.js';

const ICONS: Readonly<Record<Category, IconName>> = {
  stop: 'bus',
  cluster: 'bus',
  corner: 'corner',
  place: 'pin',
  address: 'pin',
  coordinate: 'pin',
  position: 'locate',
};

interface OfferListProps {
  id: string;
  offers: readonly Offer[];
  /** Index of the offer that the arrow keys are on; -1 for none. */
  active: number;
  onChoose: (offer: Offer) => void;
}

/** The list; it is used with the keys of the field, or with a pointer. */
export function OfferList({ id, offers, active, onChoose }: OfferListProps) {
  return (
    <div class="offers" id={`${id}-offers`} role="listbox" aria-label={t('common.offers')}>
      {offers.map((offer, index) => (
        // The focus stays in the field, whose keys move among the options.
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div
          key={`${offer.category} ${offer.place.lat} ${offer.place.lon} ${offer.place.name}`}
          id={`${id}-offer-${index}`}
          role="option"
          aria-selected={index === active}
          // A click must not move the focus away from the field, because losing the focus accepts its text.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(offer)}
        >
          <Icon name={ICONS[offer.category]} size={18} />
          <span class="offer-name">{offer.category === 'position' ? t('common.myPosition') : offer.place.name}</span>
          <span class="offer-kind">{kind(offer)}</span>
        </div>
      ))}
    </div>
  );
}

function kind({ category, code }: Offer): string {
  if (category === 'position') return '';
  const name = t(`common.category.${category}`);
  return code === undefined ? name : `${name} ${code}`;
}
