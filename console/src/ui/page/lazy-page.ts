import { lazyRouteComponent } from '@tanstack/react-router'
import { importWhenOnline } from '../../api/connectivity'

/** A page of the console that is loaded when it is opened. While the network is down, the page before it stays. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => importWhenOnline(load), name)
