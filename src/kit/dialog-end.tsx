import { Button, DialogFooter } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { LayerFocus } from './focus.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'

/**
 * The end of a dialog: the way out by Esc, and beside it what the dialog does. It gives the dialog
 * the focus where nothing in it took it.
 */
export const DialogEnd = ({
  close,
  shows = false,
  children,
}: {
  close: () => void
  /** The dialog only shows something: it is closed, and nothing is given up. */
  shows?: boolean
  children: ReactNode
}) => {
  const say = useSay()
  return (
    <>
      <DialogFooter
        actions={
          <>
            <Button onClick={close}>
              {shows ? say(['关闭', 'Close']) : say(['取消', 'Cancel'])}
              <Keys keys="Esc" />
            </Button>
            {children}
          </>
        }
      />
      <LayerFocus />
    </>
  )
}
