import { useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { hoursText } from '#src/areas/welcome/hours.ts'
import { verdicts } from '#src/areas/welcome/resolving.ts'
import { welcomeScopes, type WelcomeScope } from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import { aside, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { SmallTable } from './cells.tsx'
import { Chat } from './chat.tsx'
import { dispatchRead, skipToken, useRead } from './data.ts'
import { Badge, Section } from './show.tsx'
import { useSay } from './text.ts'
import { useAction, useAnswered, usePane, useWorkbench } from './workbench.ts'

const asked: Text = ['{who} · {at}', '{who} · {at}']
const askedByCode: Text = ['{who} · {at} · 活码“{code}”', '{who} · {at} · code “{code}”']
/** Which message would go, as its receiver sees it, and why each other one would not. */
export const WelcomeTrial = ({ of }: { of: WelcomeTried }) => {
  const say = useSay()
  const { winner } = of
  const values = { who: of.adviser, at: timeFull(of.at).slice(0, 16), code: of.code }
  return (
    <Section title={say(['命中测试', 'Who wins'])}>
      <p className="m-muted">{say(of.code ? askedByCode : asked, values)}</p>
      {winner ? (
        <>
          <p>
            <Badge tone="good">{say(welcomeScopes[winner.scope])}</Badge> <b>{winner.name}</b>
          </p>
          <Chat who={of.adviser} text={winner.text} attachments={winner.attachments} />
          {winner.skipped.map(one => (
            <p key={one} className="m-bad">
              {say(['已跳过：{what}', 'Left out: {what}'], { what: one })}
            </p>
          ))}
        </>
      ) : (
        <p className="m-bad">{say(['没有可用的欢迎语', 'No message would go'])}</p>
      )}
      <SmallTable
        head={[
          ['规则', 'Rule'],
          ['范围', 'For'],
          ['结论', 'Outcome'],
        ]}
        rows={of.verdicts}
        keyOf={one => one.id}
        cells={one => [
          one.name,
          <Badge key="scope">{say(welcomeScopes[one.scope])}</Badge>,
          one.verdict === 'wins' ? (
            <Badge key="why" tone="good">
              {say(verdicts.wins)}
            </Badge>
          ) : (
            <span key="why" className="m-muted">
              {say(verdicts[one.verdict])}
              {one.verdict === 'other_hours' && say(aside, { it: say(hoursText(one.hours)) })}
            </span>
          ),
        ]}
      />
    </Section>
  )
}
type Try<S> = { action: Action; call: Read<S, unknown, WelcomeTried> }
/** What the rules tell of the case that was asked last, also once one of them has changed. */
export const useWelcomeTrial = <S,>({ action, call }: Try<S>): WelcomeTried | undefined => {
  const [input, setInput] = useState<S | undefined>(undefined)
  useAnswered(action, answers => setInput(answers as S))
  return useRead(call, input ?? skipToken).data
}

type Order = Read<
  { scope: WelcomeScope },
  unknown,
  { list: { id: number; name: string }[]; list_version: number }
>
/** Arranges the rules of the scope that the row in focus has. */
export const useWelcomeOrder = (action: Action, of: Order, row: WelcomeRow | undefined): void => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  const dispatch = useDispatch()
  useAction(action, () => {
    const scope = row?.scope ?? 'staff'
    const read = dispatchRead(dispatch as never, of, { scope }, true)
    void read.then(({ list, list_version }) => {
      const entries = list.map((one, at) => ({ id: one.id, text: `${at + 1}. ${one.name}` }))
      const on = { scope, list_version, entries, name: say(welcomeScopes[scope]) }
      return run(action, [], { pane: pane.id, on })
    })
  })
}
