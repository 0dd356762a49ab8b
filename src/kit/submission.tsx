import { Dialog, DialogBody } from '@blueprintjs/core'
import {
  Confirm,
  Cross,
  Edit,
  Endorsed,
  EyeOpen,
  Flag,
  Inbox,
  Time,
  Undo,
} from '@blueprintjs/icons'
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import {
  CLAIM_SECONDS,
  auditStates,
  type AuditState,
  type FindingLevel,
} from '#src/areas/audit/audit.ts'
import { colon, comma, semicolon, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { Picture, imageUrl } from './image.tsx'
import { FoldedFacts } from './inspector.tsx'
import { Seen } from './seen.tsx'
import { Alarming, Badge, Section, When, duration, type ToneName } from './show.tsx'
import './submission.css'
import { useSay } from './text.ts'
import { Decisions } from './toolbar.tsx'

/** A row that waits for somebody's decision, as its queue knows it. */
export type Waits = {
  id: number
  title: string
  state: AuditState
  submitted_at: number
  sla_at: number
  claimed_by: number | null
  claimer_name: string | null
  claim_until: number | null
  decider_name: string | null
  decided_at: number | null
  reason: string | null
}

const looks: Record<AuditState, { tone: ToneName; icon: ComponentType<{ size?: number }> }> = {
  pending: { tone: 'plain', icon: Inbox },
  claimed: { tone: 'info', icon: Time },
  need_more: { tone: 'warn', icon: Edit },
  second_audit: { tone: 'warn', icon: Endorsed },
  approved: { tone: 'good', icon: Confirm },
  rejected: { tone: 'plain', icon: Cross },
  withdrawn: { tone: 'plain', icon: Undo },
}
export const StateBadge = ({ row }: { row: Pick<Waits, 'state' | 'claim_until'> }) => {
  const say = useSay()
  // A claim that ran out is nobody's: the task waits again.
  const state =
    row.state === 'claimed' && (row.claim_until ?? 0) <= unixNow() ? 'pending' : row.state
  return <Badge {...looks[state]}>{say(auditStates[state])}</Badge>
}
/** How long it has waited, and how that stands against its promise. */
export const Waiting = ({
  row,
}: {
  row: Pick<Waits, 'submitted_at' | 'sla_at' | 'decided_at'>
}) => {
  const say = useSay()
  if (row.decided_at) return <When at={row.decided_at} />
  const left = row.sla_at - unixNow()
  const waited = duration(unixNow() - row.submitted_at, say)
  if (left < 0)
    return (
      <Alarming title={say(['超时 {t}', 'Late by {t}'], { t: duration(-left, say) })}>
        {waited}
      </Alarming>
    )
  return (
    <span
      className="m-num"
      title={say(['还剩 {t}', '{t} left'], { t: duration(left, say) })}
      style={left < 3600 ? { color: 'var(--m-warn)' } : undefined}
    >
      {waited}
    </span>
  )
}
/** How long my claim still holds, or who holds it. */
const Lease = ({ task, me }: { task: Waits; me: number }) => {
  const say = useSay()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(n => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
  const left = (task.claim_until ?? 0) - unixNow()
  if ((task.state !== 'claimed' && task.state !== 'second_audit') || left <= 0 || !task.claimed_by)
    return null
  const minutes = Math.min(CLAIM_SECONDS / 60, Math.ceil(left / 60))
  return task.claimed_by === me ? (
    <span className="m-num">
      {say(['已领取，保留 {n} 分钟', 'Yours for {n} min'], { n: minutes })}
    </span>
  ) : (
    <span className="a-viewers">
      {say(['{name} 正在审核', 'Claimed by {name}'], { name: task.claimer_name ?? '' })}
    </span>
  )
}

type Finding = {
  rule: string
  level: FindingLevel
  field?: string | undefined
  values?: Record<string, string | number> | undefined
}
const levels: Record<FindingLevel, { tone: ToneName; name: Text }> = {
  block: { tone: 'bad', name: ['不可通过', 'Blocks'] },
  second: { tone: 'warn', name: ['须复审', 'Second audit'] },
  flag: { tone: 'warn', name: ['机审标记', 'Flag'] },
  warn: { tone: 'plain', name: ['提醒', 'Note'] },
}
/** What keeps a submission out of batches, in a cell of its list: the first of it, and how many more. */
export const Flags = ({ words: [first, ...more] }: { words: readonly string[] }) => {
  const say = useSay()
  return first === undefined ? null : (
    <Badge tone="warn" icon={Flag} title={[first, ...more].join(say(semicolon))}>
      {first}
      {more.length > 0 && ` +${more.length}`}
    </Badge>
  )
}
/** What the rules say, the forbidding ones first; nothing to say is said too. */
export const Findings = ({
  of,
  text,
  fieldOf,
}: {
  of: readonly Finding[]
  text: (rule: string) => Text
  fieldOf: (field: string) => Text | undefined
}) => {
  const say = useSay()
  if (of.length === 0)
    return (
      <div className="a-clear">
        <Confirm size={14} />
        {say(['机审未发现问题', 'No rule objects'])}
      </div>
    )
  return (
    <ul className="a-findings" aria-label={say(['机审结果', 'What the rules say'])}>
      {of.map((finding, i) => {
        const field = finding.field === undefined ? undefined : fieldOf(finding.field)
        return (
          <li key={i}>
            <Badge tone={levels[finding.level].tone}>{say(levels[finding.level].name)}</Badge>
            <span>{say(text(finding.rule), finding.values)}</span>
            <span className="m-muted">{field && say(field)}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** So many pictures on a key leads. */
const turns: Readonly<Record<string, number>> = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }
/** The pictures of a submission, each to be looked at as large as the window; `before` are those that stand. */
export const Pictures = ({
  title = ['图片', 'Pictures'],
  images,
  before,
  zoom,
  setZoom,
}: {
  title?: Text
  images: readonly string[]
  before?: readonly string[]
  zoom: number | undefined
  setZoom: (index: number | undefined) => void
}) => {
  const say = useSay()
  const live = new Set(before)
  const shown = zoom === undefined ? undefined : images[zoom]
  return (
    <Section title={say(title)} aside={<span className="m-muted m-num">{images.length}</span>}>
      <div className="a-pictures">
        {images.map((image, i) => (
          <button
            key={image}
            type="button"
            onClick={() => setZoom(i)}
            aria-label={say(['放大第 {n} 张图片', 'Zoom picture {n}'], { n: i + 1 })}
          >
            <Picture of={image} label={say(['第 {n} 张', 'Picture {n}'], { n: i + 1 })} />
            {before && !live.has(image) && <Badge tone="good">{say(['新', 'New'])}</Badge>}
          </button>
        ))}
      </div>
      <Dialog
        isOpen={shown !== undefined}
        onClose={() => setZoom(undefined)}
        title={say(['图片 {n} / {of}', 'Picture {n} of {of}'], {
          n: (zoom ?? 0) + 1,
          of: images.length,
        })}
        style={{ width: 'min(92vw, 1100px)' }}
      >
        <DialogBody>
          <div
            className="a-zoom"
            tabIndex={0}
            autoFocus
            onKeyDown={event => {
              const by = turns[event.key] ?? 0
              if (by && zoom !== undefined) {
                event.preventDefault()
                event.stopPropagation()
                setZoom((zoom + by + images.length) % images.length)
              }
            }}
          >
            {shown && (
              <img
                src={imageUrl(shown)}
                alt={say(['第 {n} 张', 'Picture {n}'], { n: (zoom ?? 0) + 1 })}
              />
            )}
          </div>
        </DialogBody>
      </Dialog>
    </Section>
  )
}

type FactChangeProps = { label: string; now: ReactNode; was?: ReactNode; wide?: boolean }
/** A fact as it is asked for; what stands, or stood, in its place is struck out before it. */
export const FactChange = ({ label, now, was, wide = false }: FactChangeProps) => (
  <div className={wide ? 'm-wide' : ''}>
    <dt>{label}</dt>
    <dd className="a-diff">
      {was === undefined ? (
        now
      ) : (
        <>
          <del>{was}</del>
          <ins>{now}</ins>
        </>
      )}
    </dd>
  </div>
)

const SOON_DAYS = 30
/** Until when a licence holds: over is red, ending soon is yellow. */
export const Expiry = ({ at }: { at: number | null }) => {
  const say = useSay()
  if (at === null) return <span className="m-muted">{say(['长期', 'No end'])}</span>
  const days = Math.floor((at - unixNow()) / DAY)
  return (
    <span className="m-num">
      {dateOf(at)} {days < 0 && <Badge tone="bad">{say(['已过期', 'Expired'])}</Badge>}
      {days >= 0 && days < SOON_DAYS && (
        <Badge tone="warn">{say(['{n} 天后到期', '{n} days left'], { n: days })}</Badge>
      )}
    </span>
  )
}

type Round = {
  state: AuditState
  reason_code: string | null
  reason: string | null
  by: string | null
  at: number
}
/** Earlier rounds and decisions, the newest first; `what` says of which. */
export const Rounds = <R extends Round>({
  of,
  codes,
  what,
}: {
  of: readonly R[]
  codes: Readonly<Record<string, Text>>
  what: (round: R) => ReactNode
}) => {
  const say = useSay()
  if (of.length === 0) return null
  return (
    <Section title={say(['审核记录', 'Earlier decisions'])}>
      <ul className="a-rounds">
        {of.map((one, i) => (
          <li key={i}>
            <When at={one.at} />
            <span>
              <StateBadge row={{ state: one.state, claim_until: null }} />
            </span>
            <span>
              {what(one)}
              {one.by && <span className="m-muted"> · {one.by}</span>}
              {one.reason_code && (
                <div className="m-muted">
                  {say(codes[one.reason_code] ?? [one.reason_code, one.reason_code])}
                  {say(colon)}
                  {one.reason}
                </div>
              )}
              {!one.reason_code && one.reason && <div className="m-muted">{one.reason}</div>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Frame = {
  task: Waits
  me: number
  viewers: readonly { id: number; name: string }[]
  /** As it was before it was decided: nothing that came after is told. */
  blind?: boolean
  stale?: boolean | undefined
  /** What its head tells besides state, age and claim. */
  told: ReactNode
  /** What stands between its head and what was submitted. */
  banner?: ReactNode
  children: ReactNode
}
/** A submission laid out for its decision: its head with who holds it, and below what scrolls. */
export const SubmissionFrame = ({
  task,
  me,
  viewers,
  blind = false,
  stale,
  told,
  banner,
  children,
}: Frame) => {
  const say = useSay()
  const body = useRef<HTMLDivElement>(null)
  // Only for another submission: a pane that is shown again runs its effects again, and must not
  // lose its place.
  const at = useRef(task.id)
  // Asking one that nobody scrolled to go to its top would lay the whole window out twice.
  const scrolled = useRef(false)
  useEffect(() => {
    if (at.current !== task.id && scrolled.current) {
      body.current?.scrollTo(0, 0)
      scrolled.current = false
    }
    at.current = task.id
  }, [task.id])
  const others = viewers.filter(one => one.id !== me)
  return (
    <article className="a-submission" aria-label={task.title}>
      <header className="a-head">
        <h2>{task.title}</h2>
        <p>
          {!blind && <StateBadge row={task} />}
          {told}
          <span>
            {say(['提交', 'Submitted'])} <When at={task.submitted_at} />
          </span>
          <Lease task={task} me={me} />
          {others.length > 0 && (
            <span className="a-viewers">
              <EyeOpen size={12} />{' '}
              {say(['{names} 也在看', '{names} looking too'], {
                names: others.map(one => one.name).join(say(comma)),
              })}
            </span>
          )}
          {task.decided_at && (
            <span>
              {task.decider_name} <When at={task.decided_at} />
              {task.reason && ` · ${task.reason}`}
            </span>
          )}
        </p>
        <Decisions />
      </header>
      {banner}
      <div
        className="a-body"
        ref={body}
        onScroll={() => {
          scrolled.current = true
        }}
        tabIndex={0}
        role="region"
        aria-label={say(['提交内容', 'Submission'])}
        data-stale={stale || undefined}
      >
        <Seen>{children}</Seen>
        <FoldedFacts />
      </div>
    </article>
  )
}
