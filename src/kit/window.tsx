import { Dialog, DialogBody } from '@blueprintjs/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { DialogEnd } from './dialog-end.tsx'
import { useReturnFocus } from './focus.ts'

type Frame = {
  title: string
  close: () => void
  width?: number
  children: ReactNode
  actions?: ReactNode
  /** Changes when there is something new to begin at. */ stage?: unknown
}
/**
 * A dialog that is no question: what is marked `data-autofocus` has the focus when it opens, and
 * again at each stage.
 */
export const Window = ({ title, close, width = 720, children, actions, stage }: Frame) => {
  useReturnFocus()
  const body = useRef<HTMLDivElement>(null)
  const begin = () =>
    body.current
      ?.closest('.bp6-dialog')
      ?.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)')
      ?.focus()
  useEffect(() => {
    requestAnimationFrame(begin)
  }, [stage])
  return (
    <Dialog
      isOpen
      title={title}
      onClose={close}
      onOpened={begin}
      canOutsideClickClose={false}
      style={{ width }}
      aria-label={title}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        <div ref={body}>{children}</div>
      </DialogBody>
      <DialogEnd shows close={close}>
        {actions}
      </DialogEnd>
    </Dialog>
  )
}
