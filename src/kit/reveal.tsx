import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { ownMs } from '#src/domain/clock.ts'
import { say as inWords, type Text } from '#src/domain/text.ts'
import { useFocusedFirst, useReturnFocus } from './focus.ts'
import { Keys } from './show.tsx'
import { lang, useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

/**
 * A guarded value in clear, for so many seconds; `left` is how often more today. `note` says
 * something else of one that is no guarded value.
 */
export type Revealed = {
  label: Text
  of: string
  value: string
  seconds: number
  left: number
  note?: Text
}

/** Shows it, says how long, and takes it away by itself; it is nowhere else on the screen. */
export const RevealDialog = ({ of, close }: { of: Revealed; close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const first = useFocusedFirst()
  useReturnFocus()
  const [until] = useState(() => ownMs() + of.seconds * 1000)
  const [left, setLeft] = useState(of.seconds)
  useEffect(() => {
    // By the clock, not by ticks: a tab put aside comes back with nothing left of it.
    const timer = setInterval(() => {
      const now = Math.ceil((until - ownMs()) / 1000)
      if (now <= 0) close()
      else setLeft(now)
    }, 250)
    return () => clearInterval(timer)
  }, [until, close])
  const copy = () =>
    navigator.clipboard.writeText(of.value).then(
      () => toast(inWords(['已复制', 'Copied'], lang()), 'success'),
      () => toast(inWords(['无法访问剪贴板', 'No access to the clipboard'], lang()), 'warning'),
    )
  const title = `${say(of.label)} · ${of.of}`
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 440 }}>
      <DialogBody>
        <p className="m-revealed m-num">{of.value}</p>
        <p className="m-muted" role="timer">
          {say(
            of.note ?? [
              '{n} 秒后自动隐藏。查看已记入操作日志，今天还可查看 {left} 次。',
              'Hidden in {n} s. This was logged; {left} more today.',
            ],
            { n: left, left: of.left },
          )}
        </p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={() => void copy()}>{say(['复制', 'Copy'])}</Button>
            <Button ref={first} intent="primary" onClick={close}>
              {say(['隐藏', 'Hide'])}
              <Keys keys="Esc" />
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
