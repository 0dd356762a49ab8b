import { Drawer as BlueprintDrawer, type DrawerProps } from '@blueprintjs/core'
import { useLayoutEffect, useRef } from 'react'
import { LayerFocus } from './focus.ts'

/** Blueprint's drawer takes no role: it is given from within, with the title as its name. */
const Named = ({ name }: { name: string }) => {
  const at = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const drawer = at.current?.closest('.bp6-drawer')
    drawer?.setAttribute('role', 'dialog')
    drawer?.setAttribute('aria-modal', 'true')
    drawer?.setAttribute('aria-label', name)
  }, [name])
  return <span ref={at} hidden />
}
/** A drawer over the panes, which is a dialog to who can't see it. */
export const Drawer = ({ title, children, ...more }: DrawerProps & { title: string }) => (
  <BlueprintDrawer {...more} title={title}>
    <Named name={title} />
    {children}
    <LayerFocus />
  </BlueprintDrawer>
)
