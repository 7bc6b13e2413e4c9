import { MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { boot } from '../boot'
import { cspNonce } from '../csp-nonce'
import './styles'
import { brandTheme } from './brand/theme'
import { colorSchemeManager } from './color-scheme'

/** Gives all below the brand color of the instance and the color scheme. */
export function Appearance({ children }: { children: ReactNode }) {
  const { theme, resolver } = useMemo(() => brandTheme(boot.instance.primaryColor), [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      {children}
    </MantineProvider>
  )
}
