import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { accountWords as words } from '../words'

const schemes: MantineColorScheme[] = ['auto', 'light', 'dark']

export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      maw="22rem"
      aria-label={words.appearance}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={schemes.map((value) => ({ value, label: words.scheme[value] }))}
    />
  )
}
