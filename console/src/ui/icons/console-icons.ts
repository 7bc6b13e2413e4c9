import appsOutline from 'virtual:outline/apps'
import archiveOutline from 'virtual:outline/archive'
import arrowDownOutline from 'virtual:outline/arrow-down'
import arrowUpOutline from 'virtual:outline/arrow-up'
import arrowUpRightOutline from 'virtual:outline/arrow-up-right'
import arrowsDiagonalOutline from 'virtual:outline/arrows-diagonal'
import banOutline from 'virtual:outline/ban'
import browserOutline from 'virtual:outline/browser'
import chevronDownOutline from 'virtual:outline/chevron-down'
import chevronLeftOutline from 'virtual:outline/chevron-left'
import chevronRightOutline from 'virtual:outline/chevron-right'
import chevronUpOutline from 'virtual:outline/chevron-up'
import columns3Outline from 'virtual:outline/columns-3'
import deviceMobileOffOutline from 'virtual:outline/device-mobile-off'
import devicesOutline from 'virtual:outline/devices'
import dotsOutline from 'virtual:outline/dots'
import homeOutline from 'virtual:outline/home'
import layoutDashboardOutline from 'virtual:outline/layout-dashboard'
import lockOutline from 'virtual:outline/lock'
import loginOutline from 'virtual:outline/login-2'
import logoutOutline from 'virtual:outline/logout'
import menu2Outline from 'virtual:outline/menu-2'
import minusOutline from 'virtual:outline/minus'
import playerPlayOutline from 'virtual:outline/player-play'
import plugConnectedOutline from 'virtual:outline/plug-connected'
import refreshOutline from 'virtual:outline/refresh'
import searchOutline from 'virtual:outline/search'
import selectorOutline from 'virtual:outline/selector'
import serverOutline from 'virtual:outline/server'
import settingsOutline from 'virtual:outline/settings'
import shieldLockOutline from 'virtual:outline/shield-lock'
import shieldOffOutline from 'virtual:outline/shield-off'
import trashOutline from 'virtual:outline/trash'
import uploadOutline from 'virtual:outline/upload'
import usersOutline from 'virtual:outline/users'
import usersPlusOutline from 'virtual:outline/users-plus'
import xOutline from 'virtual:outline/x'

/** The icons that only the console uses. */
export const consoleIcons = {
  apps: appsOutline,
  archive: archiveOutline,
  arrowDown: arrowDownOutline,
  arrowUp: arrowUpOutline,
  arrowUpRight: arrowUpRightOutline,
  ban: banOutline,
  browser: browserOutline,
  close: xOutline,
  columns: columns3Outline,
  dashboard: layoutDashboardOutline,
  devices: devicesOutline,
  dots: dotsOutline,
  down: chevronDownOutline,
  expand: arrowsDiagonalOutline,
  home: homeOutline,
  left: chevronLeftOutline,
  lock: lockOutline,
  menu: menu2Outline,
  minus: minusOutline,
  phoneOff: deviceMobileOffOutline,
  play: playerPlayOutline,
  plug: plugConnectedOutline,
  refresh: refreshOutline,
  right: chevronRightOutline,
  search: searchOutline,
  selector: selectorOutline,
  server: serverOutline,
  settings: settingsOutline,
  shieldLock: shieldLockOutline,
  shieldOff: shieldOffOutline,
  signIn: loginOutline,
  signOut: logoutOutline,
  trash: trashOutline,
  up: chevronUpOutline,
  upload: uploadOutline,
  users: usersOutline,
  usersPlus: usersPlusOutline,
}
