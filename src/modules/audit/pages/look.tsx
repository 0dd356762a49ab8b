import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { Link } from 'wouter'
import { lookActions, reading } from '#commands/audit/audit.ts'
import { to } from '#commands/command.ts'
import { bulks, look } from '#commands/pages/audit.ts'
import { queueNames } from '#src/areas/audit/audit.ts'
import type { Result } from '#src/contract/call.ts'
import { dispatchWrite, type CallError } from '#src/kit/data.ts'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { look as calls } from '../contract.ts'
import { Submission } from '../parts/Submission.tsx'

const actions = Object.values(lookActions)
/**
 * A decided submission as it was before it was decided: the second person says what they would have
 * done, and goes on to the next.
 */
export default function SecondLook() {
  const say = useSay()
  const now = useLang()
  const dispatch = useDispatch()
  const workbench = useWorkbench()
  const pane = usePane()
  const [taken, setTaken] = useState<Result<typeof calls.take> | undefined>(undefined)
  const [error, setError] = useState<CallError | undefined>(undefined)
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const [done, setDone] = useState(0)
  const take = useCallback(() => {
    setError(undefined)
    dispatchWrite(dispatch as never, calls.take, {}, { quiet: true }).then(
      setTaken,
      (fault: CallError) => setError(fault),
    )
  }, [dispatch])
  // Once for each language, as everything the server says: what is taken stays taken.
  const asked = useRef<string>(undefined)
  useEffect(() => {
    if (asked.current !== now) {
      asked.current = now
      take()
    }
  }, [take, now])
  const rows = useMemo(() => (taken?.look ? [taken.look] : []), [taken])
  useSubject(useMemo(() => ({ rows, total: taken?.left ?? 0 }), [rows, taken?.left]))
  const decide = (action: (typeof actions)[number]) => (given: readonly unknown[]) =>
    void workbench.run(action, given, { pane: pane.id }).then(said => {
      if (said) {
        setDone(n => n + 1)
        take()
      }
    })
  useAction(lookActions.approve, decide(lookActions.approve))
  useAction(lookActions.reject, decide(lookActions.reject))
  useAction(reading.zoom, () => {
    if (taken?.detail?.body.images.length) setZoom(0)
  })
  if (error && !taken) return <Failed error={error} retry={take} />
  if (!taken) return <Loading lines={16} />
  if (!taken.look || !taken.detail) {
    return (
      <Empty title={say(['没有待复看的抽检', 'Nothing to review'])}>
        <p>
          {done > 0 && say(['刚才复看了 {n} 条。', 'Reviewed just now: {n}.'], { n: done })}
          {say([
            '系统按比例抽取已完成的审核，由另一人独立再判断一次；你自己的决定不会抽给你。',
            'Some decisions are drawn for a second person to judge anew; your own are never drawn for you.',
          ])}
        </p>
        <p>
          <Link href={to(bulks)}>{titleIn(bulks, now)}</Link>
        </p>
      </Empty>
    )
  }
  return (
    <Submission of={taken.detail} me={workbench.me.id} blind zoom={zoom} setZoom={setZoom}>
      <Toolbar actions={actions} rows={rows}>
        <span className="m-muted">
          {titleIn(look, now)} · {say(queueNames[taken.look.queue])} ·{' '}
          <span className="m-num">{say(['待复看 {n} 条', '{n} waiting'], { n: taken.left })}</span>{' '}
          · {say(['原决定不显示', 'the first decision is hidden'])}
        </span>
      </Toolbar>
    </Submission>
  )
}
