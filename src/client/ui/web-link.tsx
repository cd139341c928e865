/** Links to pages that feeds name. */

import type { ComponentChildren } from 'preact';

/** The link in another tab; nothing for any other kind of address, because feeds might give scripts as addresses. */
export function WebLink({ address = '', children }: { address: string | undefined; children: ComponentChildren }) {
  if (!/^https?:\/\//i.test(address)) return null;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
