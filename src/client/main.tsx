/** Starts the page. */

import './style/index.css';
import { render } from 'preact';
import { Root } from './app/root.js';
import { followAddress } from './state/address.js';
import { followLanguage } from './text/texts.js';

followAddress();
await followLanguage();
const root = document.getElementById('page');
if (root) render(<Root />, root);
