// First: removes secrets from the address bar before other code can read or record it.
import './arrival'
import { App } from './app'
import { begin, renderNew } from './begin'

begin((root) => renderNew(root, <App />))
