import { AppShell, Drawer } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import m from '../../messages/en/navigation.json'
import styles from './frame.module.css'
import { NavigationContext } from './navigation-context'
import { OfflineBanner } from './offline-banner'
import toasts from './toasts.module.css'

interface Props {
  sidebar: ReactNode
  children: ReactNode
}

/** The frame of the console: the sidebar, on small screens in a drawer, and the page. */
export function Frame({ sidebar, children }: Props) {
  const [opened, setOpened] = useState(false)
  useLayoutEffect(() => {
    document.documentElement.dataset.console = ''
    return () => {
      delete document.documentElement.dataset.console
    }
  }, [])
  const navigation = { open: () => setOpened(true), close: () => setOpened(false), isDrawer: false }
  return (
    <NavigationContext value={navigation}>
      <Notifications
        position="bottom-right"
        autoClose={4000}
        limit={3}
        role="status"
        aria-atomic={false}
        classNames={{ root: toasts.toasts as string }}
      />
      <AppShell navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: true } }} padding={0}>
        <AppShell.Navbar className={styles.navbar} visibleFrom="md">
          {sidebar}
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1} className={styles.main}>
          <OfflineBanner />
          {children}
        </AppShell.Main>
      </AppShell>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        size={280}
        title={m.navigation()}
        classNames={{ content: styles.drawer, body: styles.drawerBody }}
      >
        <NavigationContext value={{ ...navigation, isDrawer: true }}>{sidebar}</NavigationContext>
      </Drawer>
    </NavigationContext>
  )
}
