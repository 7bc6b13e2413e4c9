import { MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { cspNonce } from '../../csp-nonce'
import './styles'
import { brandTheme } from '../brand/theme'
import { usePrimaryColor } from './brand-color'
import { colorSchemeManager } from './color-scheme'

/** Applies the color of the team or the instance, and the color scheme. */
export function Appearance({ children }: { children: ReactNode }) {
  const primary = usePrimaryColor()
  const { theme, resolver } = useMemo(() => brandTheme(primary), [primary])
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
