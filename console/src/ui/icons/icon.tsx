import alertCircleOutline from 'virtual:outline/alert-circle'
import alertTriangleOutline from 'virtual:outline/alert-triangle'
import arrowLeftOutline from 'virtual:outline/arrow-left'
import arrowRightOutline from 'virtual:outline/arrow-right'
import arrowsLeftRightOutline from 'virtual:outline/arrows-left-right'
import buildingOutline from 'virtual:outline/building'
import checkOutline from 'virtual:outline/check'
import circleOutline from 'virtual:outline/circle'
import circleCheckOutline from 'virtual:outline/circle-check'
import clockOutline from 'virtual:outline/clock'
import copyOutline from 'virtual:outline/copy'
import deviceLaptopOutline from 'virtual:outline/device-laptop'
import deviceMobileOutline from 'virtual:outline/device-mobile'
import downloadOutline from 'virtual:outline/download'
import eyeOutline from 'virtual:outline/eye'
import eyeOffOutline from 'virtual:outline/eye-off'
import fingerprintOutline from 'virtual:outline/fingerprint'
import infoCircleOutline from 'virtual:outline/info-circle'
import keyOutline from 'virtual:outline/key'
import listNumbersOutline from 'virtual:outline/list-numbers'
import mailOutline from 'virtual:outline/mail'
import plusOutline from 'virtual:outline/plus'
import printerOutline from 'virtual:outline/printer'
import robotOutline from 'virtual:outline/robot'
import shieldOutline from 'virtual:outline/shield'
import userOutline from 'virtual:outline/user'
import usersGroupOutline from 'virtual:outline/users-group'
import type { consoleIcons } from './console-icons'
import styles from './icon.module.css'

/** The icons of the sign-in pages. `console-icons.ts` has the others. */
const icons = {
  agent: robotOutline,
  alert: alertCircleOutline,
  arrowLeft: arrowLeftOutline,
  arrowRight: arrowRightOutline,
  building: buildingOutline,
  check: checkOutline,
  circle: circleOutline,
  clock: clockOutline,
  copy: copyOutline,
  done: circleCheckOutline,
  download: downloadOutline,
  eye: eyeOutline,
  eyeOff: eyeOffOutline,
  group: usersGroupOutline,
  info: infoCircleOutline,
  key: keyOutline,
  laptop: deviceLaptopOutline,
  list: listNumbersOutline,
  mail: mailOutline,
  passkey: fingerprintOutline,
  phone: deviceMobileOutline,
  plus: plusOutline,
  printer: printerOutline,
  shield: shieldOutline,
  swap: arrowsLeftRightOutline,
  user: userOutline,
  warning: alertTriangleOutline,
}

const all: Record<string, readonly string[]> = { ...icons }

export type IconName = keyof typeof icons | keyof typeof consoleIcons

/** Adds the icons that only the console uses, so that the sign-in pages do not load them. */
export function addIcons(more: typeof consoleIcons): void {
  Object.assign(all, more)
}

/** An icon beside a label, never instead of one. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const paths = all[name]
  if (!paths) {
    if (import.meta.env.DEV)
      throw new Error(`Move the icon ${name} to icon.tsx: this document loads no console-icons.ts`)
    return null
  }
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      // Thicker below 14 px, where the line is thinner than a pixel.
      strokeWidth={size < 14 ? 2 : 1.5}
      aria-hidden="true"
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}
