import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import m from '../../messages/en/profile.json'

const schemes: MantineColorScheme[] = ['auto', 'light', 'dark']

export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      maw="22rem"
      aria-label={m.appearance()}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={schemes.map((value) => ({ value, label: m.scheme({ scheme: value }) }))}
    />
  )
}
