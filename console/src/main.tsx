// First of all: takes secrets out of the address bar before anything else can read or record it.
import './arrival'
import { App } from './app'
import { begin, renderNew } from './begin'

begin((root) => renderNew(root, <App />))
