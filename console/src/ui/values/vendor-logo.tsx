import curlLogo from 'virtual:logo/curl'
import dotnetLogo from 'virtual:logo/dotnet'
import expressLogo from 'virtual:logo/express'
import goLogo from 'virtual:logo/go'
import googleLogo from 'virtual:logo/google'
import nextjsLogo from 'virtual:logo/nextdotjs'
import oktaLogo from 'virtual:logo/okta'
import openidLogo from 'virtual:logo/openid'
import pythonLogo from 'virtual:logo/python'
import reactLogo from 'virtual:logo/react'
import springLogo from 'virtual:logo/springboot'
import { contrast } from '../brand/colour'
import { Monogram } from './monogram'
import styles from './vendor-logo.module.css'

/** `--kw-card` in both color schemes. */
const CARDS = ['#ffffff', '#18191d']

/** In the color of the brand if it has a contrast of 3:1 in both schemes, otherwise in that of the text. */
function draw(paths: readonly string[], brand: string) {
  const fill = CARDS.every((card) => contrast(brand, card) >= 3) ? brand : undefined
  return paths.map((path) => <path key={path} d={path} fill={fill} />)
}

/** On a 24 px grid. */
const logos = {
  curl: draw(curlLogo, '#073551'),
  dotnet: draw(dotnetLogo, '#512bd4'),
  express: draw(expressLogo, '#000000'),
  go: draw(goLogo, '#00add8'),
  google: draw(googleLogo, '#4285f4'),
  // In the four colors of Microsoft.
  microsoft: (
    <>
      <path d="M1 1h10.5v10.5H1z" fill="#f25022" />
      <path d="M12.5 1H23v10.5H12.5z" fill="#7fba00" />
      <path d="M1 12.5h10.5V23H1z" fill="#00a4ef" />
      <path d="M12.5 12.5H23V23H12.5z" fill="#ffb900" />
    </>
  ),
  nextjs: draw(nextjsLogo, '#000000'),
  okta: draw(oktaLogo, '#007dc1'),
  openid: draw(openidLogo, '#f78c40'),
  python: draw(pythonLogo, '#3776ab'),
  react: draw(reactLogo, '#61dafb'),
  spring: draw(springLogo, '#6db33f'),
}

export type VendorLogoName = keyof typeof logos

interface Props {
  /** a monogram without one */
  logo?: VendorLogoName | undefined
  name: string
  size?: number
}

/** The logo of a vendor or framework beside its name. */
export function VendorLogo({ logo, name, size = 28 }: Props) {
  if (!logo) return <Monogram of={name} size={size} />
  // A frame would leave too few pixels of a small one.
  const isFramed = size >= 24
  const shape = isFramed ? { borderRadius: size / 4, padding: size / 6 } : {}
  return (
    <span className={styles.logo} data-framed={isFramed || undefined} style={{ width: size, height: size, ...shape }}>
      <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        {logos[logo]}
      </svg>
    </span>
  )
}
