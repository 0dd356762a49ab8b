import { Button } from '@blueprintjs/core'
import { Confirm, Cross, Learning } from '@blueprintjs/icons'
import { useEffect, useRef, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { Link } from 'wouter'
import { practiceActions, practiceReading } from '#commands/audit/practice.ts'
import { to, type Action } from '#commands/command.ts'
import { bulks, practice } from '#commands/pages/audit.ts'
import { undo } from '#commands/shell.ts'
import { rejectCodes, ruleText, type RejectCode } from '#src/areas/audit/audit.ts'
import {
  practiceFaults,
  practiceVerdicts,
  type PracticeVerdict,
} from '#src/areas/audit/practice.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { dispatchWrite, useRead } from '#src/kit/data.ts'
import { Badge, Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { practice as calls, type Lesson } from '#src/modules/practice/contract.ts'
import type { AuditDetail, AuditItem } from '../contract.ts'
import { AuditQueue, type Practised } from '../parts/AuditQueue.tsx'

type Mine = Result<typeof calls.mine>
const verdictOf = new Map<Action, PracticeVerdict>([
  [practiceActions.approve, 'approve'],
  [practiceActions.reject, 'reject'],
  [practiceActions.askMore, 'askMore'],
])

/** A key and what it does, as the strip names them. */
const Hint = ({ of, children }: { of: string; children: ReactNode }) => {
  const { keysOf } = useWorkbench()
  const keys = keysOf(of)
  return keys ? (
    <span className="a-hint">
      <Keys keys={keys} /> {children}
    </span>
  ) : null
}
const Outcome = ({ right }: { right: boolean }) => {
  const say = useSay()
  return right ? (
    <Badge tone="good" icon={Confirm}>
      {say(['判断正确', 'Right'])}
    </Badge>
  ) : (
    <Badge tone="bad" icon={Cross}>
      {say(['判断有误', 'Not right'])}
    </Badge>
  )
}
/** What would have been right, in words: 驳回（价格不实） 或 要求补充. */
const useExpected = () => {
  const say = useSay()
  return (fault: Lesson['fault']) => {
    const { right, codes } = practiceFaults[fault]
    return right
      .map(
        verdict =>
          say(practiceVerdicts[verdict]) +
          (verdict === 'reject' && codes
            ? say(['（{c}）', ' ({c})'], {
                c: codes.map(code => say(rejectCodes[code])).join(say(comma)),
              })
            : ''),
      )
      .join(say([' 或 ', ' or ']))
  }
}

/** Says of a decided submission: right or wrong, the rule, where it stands, and which key goes on. */
const LessonOf = ({ of, last }: { of: Lesson; last: boolean }) => {
  const say = useSay()
  const now = useLang()
  const expected = useExpected()
  const { why, look, rule } = practiceFaults[of.fault]
  return (
    <section
      className="a-lesson"
      data-right={of.right || undefined}
      role="status"
      aria-label={say(['练习讲评', 'What was right'])}
    >
      <p>
        <Outcome right={of.right} />{' '}
        <b>
          {say(['正确的判断：', 'Right would be: '])}
          {expected(of.fault)}
        </b>
        {!of.right && (
          <span className="m-muted">
            {say(['你的判断：', 'You said: '])}
            {say(practiceVerdicts[of.verdict])}
            {of.codes.length > 0 &&
              ` · ${of.codes.map(code => say(rejectCodes[code])).join(say(comma))}`}
          </span>
        )}
      </p>
      <p>
        {say(why)}
        {rule && (
          <span className="m-muted">
            {' '}
            · {say(['规则：', 'Rule: '])}
            {say(ruleText(rule)).replace(/\s?[：:]?\s?[「]?\{\w+\}.*$/, '')}
          </span>
        )}
      </p>
      <p className="m-muted">{say(look)}</p>
      <p>
        {last ? (
          <Hint of={practiceActions.next.id}>{titleIn(practiceActions.next, now)}</Hint>
        ) : (
          <Hint of={practiceActions.claimNext.id}>{say(['去下一条', 'goes to the next one'])}</Hint>
        )}{' '}
        <Hint of={undo.id}>{say(['收回，重新判断', 'takes it back, to decide anew'])}</Hint>
      </p>
    </section>
  )
}
/** The end of a round: the score, how long each took, keys against mouse, and what was missed. */
const Summary = ({ of, next }: { of: Mine; next: () => void }) => {
  const say = useSay()
  const now = useLang()
  const expected = useExpected()
  const { keysOf } = useWorkbench()
  return (
    <div className="a-summary">
      <h2>{say(['第 {n} 轮完成', 'Round {n} is done'], { n: of.round })}</h2>
      <dl className="m-done">
        <div>
          <dt>{say(['一次判断正确', 'Right at once'])}</dt>
          <dd>
            {of.right} / {of.size}
          </dd>
        </div>
        <div>
          <dt>{say(['每条用时', 'Each took'])}</dt>
          <dd>{say(['{n} 秒', '{n} s'], { n: of.seconds_each ?? 0 })}</dd>
        </div>
        <div>
          <dt>{say(['用键盘 / 鼠标', 'Keys / mouse'])}</dt>
          <dd>
            {of.by_keys} / {of.decided - of.by_keys}
          </dd>
        </div>
        <div>
          <dt>{say(['最好成绩', 'Best'])}</dt>
          <dd>
            {of.best ?? of.right} / {of.size}
          </dd>
        </div>
      </dl>
      <Button intent="primary" data-command={practiceActions.next.id} onClick={next}>
        {titleIn(practiceActions.next, now)}
        <Keys keys={keysOf(practiceActions.next.id)} />
      </Button>{' '}
      <Link href={to(bulks)}>
        {say(['去真实队列：', 'To the real queue: '])}
        {titleIn(bulks, now)}
      </Link>
      <ul className="a-lessons">
        {of.lessons.map(one => (
          <li key={one.id}>
            <Outcome right={one.first} />
            <span>{one.title}</span>
            <span className="m-muted">{expected(one.fault)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Auditing practised on submissions that exist nowhere, by the very page, keys and questions of the
 * real queue.
 */
export default function Practice() {
  const say = useSay()
  const dispatch = useDispatch()
  const pane = usePane()
  const mine = useRead(calls.mine, {})
  const of = mine.data
  const by = useRef<'keys' | 'mouse'>('keys')
  useEffect(() => {
    const [key, mouse] = [
      () => {
        by.current = 'keys'
      },
      () => {
        by.current = 'mouse'
      },
    ]
    addEventListener('keydown', key, true)
    addEventListener('pointerdown', mouse, true)
    return () => {
      removeEventListener('keydown', key, true)
      removeEventListener('pointerdown', mouse, true)
    }
  }, [])
  const round = of?.round ?? 1
  const next = () => void dispatchWrite(dispatch as never, calls.next, { round }).catch(() => {})
  useAction(practiceActions.next, next)
  useAction(
    undo,
    () =>
      void dispatchWrite(dispatch as never, calls.takeBack, { round }).then(
        ({ id }) => pane.stage.performer('list.reveal')?.([{ id }]),
        () => {},
      ),
  )
  const claim = (row: AuditItem) =>
    void dispatchWrite(dispatch as never, calls.claim, { round, id: row.id }).catch(() => {})
  useAction(practiceActions.claim, ([row]) => {
    if (row) claim(row)
  })
  const judge: Practised['judge'] = (row, action, answers, seconds) => {
    const why = answers['why'] as
      | { code: RejectCode; text: string; more?: RejectCode[] }
      | undefined
    const codes = why ? [why.code, ...(why.more ?? [])] : []
    return dispatchWrite(dispatch as never, calls.decide, {
      round,
      id: row.id,
      verdict: verdictOf.get(action)!,
      codes,
      seconds: Math.min(36_000, seconds),
      by: by.current,
    }).then(
      lesson => lesson.right,
      () => undefined,
    )
  }
  const lessonOf = (id: number) => of?.lessons.find(one => one.id === id)
  const over = of !== undefined && of.decided === of.size
  const under = ({ task }: AuditDetail) => {
    const lesson = lessonOf(task.id)
    return lesson && <LessonOf of={lesson} last={over} />
  }
  const last = of?.last ? lessonOf(of.last) : undefined
  return (
    <div className="a-practice">
      <header className="a-practice-strip">
        <Badge tone="info" icon={Learning}>
          {say(['练习：不影响真实数据', 'Practice: nothing real is touched'])}
        </Badge>
        {of && (
          <span className="m-num">
            {say(
              [
                '第 {n} 轮 · 已判断 {d} / {of} · 正确 {r}',
                'Round {n} · {d} of {of} decided · {r} right',
              ],
              { n: of.round, d: of.decided, of: of.size, r: of.right },
            )}
          </span>
        )}
        {over ? (
          <Hint of={practiceActions.next.id}>{say(['开始下一轮', 'starts the next round'])}</Hint>
        ) : (
          <>
            <Hint of={practiceActions.approve.id}>{say(['通过', 'approves'])}</Hint>
            <Hint of={practiceActions.reject.id}>{say(['驳回', 'rejects'])}</Hint>
            <Hint of={practiceActions.askMore.id}>{say(['要求补充', 'asks for more'])}</Hint>
            <Hint of={practiceReading.zoom.id}>{say(['看大图', 'zooms'])}</Hint>
          </>
        )}
        <span className="m-fill" />
        {last && (
          <span className="a-hint">
            {say(['上一条', 'Last'])} <Outcome right={last.right} />{' '}
            <Hint of={practiceReading.back.id}>{say(['回看', 'shows it'])}</Hint>
          </span>
        )}
      </header>
      <AuditQueue
        queue="bulks"
        practised={{
          page: practice,
          calls,
          actions: practiceActions,
          reading: practiceReading,
          claim,
          judge,
          under,
          empty: over ? <Summary of={of} next={next} /> : undefined,
        }}
      />
    </div>
  )
}
