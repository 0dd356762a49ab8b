import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { mySessions } from '#commands/shell.ts'
import { useRead, useWrite } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { Badge, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { person as calls, type MySession } from '#src/modules/session/contract.ts'
import { stepByButton } from '../step.ts'
import { toast } from '../toasts.tsx'

/** Tells of a session what it is on, from where, and since when. */
const Row = ({ of, end }: { of: MySession; end: (() => void) | undefined }) => {
  const say = useSay()
  return (
    <li>
      <div>
        <b>{of.device}</b> {of.current && <Badge tone="info">{say(['当前', 'This one'])}</Badge>}
      </div>
      <div className="m-muted m-num">
        {of.ip} · {say(['登录于', 'Signed in'])} <When at={of.created_at} /> ·{' '}
        {say(['最近活动', 'Last seen'])} <When at={of.seen_at} />
      </div>
      {end && (
        <Button
          size="small"
          aria-label={say(['下线：{device} {ip}', 'Sign out: {device} {ip}'], {
            device: of.device,
            ip: of.ip,
          })}
          onClick={end}
        >
          {say(['下线', 'Sign out'])}
        </Button>
      )}
    </li>
  )
}

/** Where the person is signed in, and how to be so no longer. */
export const SessionsDialog = ({ close }: { close: () => void }) => {
  const say = useSay()
  const read = useRead(calls.sessions, {})
  const [endOne] = useWrite(calls.endSession)
  const [endOthers, { isLoading }] = useWrite(calls.endOtherSessions)
  const box = useRef<HTMLDivElement>(null)
  useReturnFocus()
  const list = read.data?.list
  const others = list?.filter(one => !one.current).length ?? 0
  // The keyboard begins at the first that can be ended, and stays in here when one of them is gone.
  useEffect(() => {
    if (list && !box.current?.contains(document.activeElement))
      (box.current?.querySelector<HTMLElement>('li button') ?? box.current)?.focus()
  }, [list])
  const told = () => {
    // The refusal was told; what is there now is shown.
    read.refetch()
  }
  const end = (id: number) =>
    void endOne({ session_id: id }).then(
      () => toast(say(['已下线', 'Signed out there']), 'success'),
      told,
    )
  const endAll = () =>
    void endOthers({}).then(
      ({ ended }) =>
        toast(
          say(['已下线其他 {n} 个会话', 'Signed out of {n} other sessions'], { n: ended }),
          'success',
        ),
      told,
    )
  return (
    <Dialog isOpen title={titleIn(mySessions, useLang())} onClose={close} style={{ width: 600 }}>
      <DialogBody>
        <div ref={box} tabIndex={-1} className="s-sessions">
          <Answer of={read}>
            {({ list: rows }) => (
              <ul className="s-undos" onKeyDown={stepByButton}>
                {rows.map(one => (
                  <Row key={one.id} of={one} end={one.current ? undefined : () => end(one.id)} />
                ))}
              </ul>
            )}
          </Answer>
        </div>
        <LayerFocus />
      </DialogBody>
      <DialogFooter
        actions={
          <Button
            intent="danger"
            variant="outlined"
            disabled={others === 0}
            loading={isLoading}
            onClick={endAll}
          >
            {say(['下线其他全部', 'Sign out everywhere else'])}
          </Button>
        }
      >
        {others === 0 && say(['没有在别处登录。', 'You are signed in nowhere else.'])}
      </DialogFooter>
    </Dialog>
  )
}
