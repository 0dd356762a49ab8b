import {
  applicationKinds,
  askedItems,
  refuseCodes,
  type ApplicationKind,
  type AskedItem,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { colon, comma, type Text } from '#src/domain/text.ts'
import './application-change.css'
import { Badge, Section, When } from './show.tsx'
import { FactChange, StateBadge } from './submission.tsx'
import { useSay } from './text.ts'

type Worded = Readonly<Record<string, string>>
type Names = Readonly<Record<string, Text>>
type Lines = { names: Names; body: Worded; live: Worded }
/** Each field that is to be otherwise: what stands there struck out, and what is asked for. */
export const ChangeLines = ({ names, body, live }: Lines) => {
  const say = useSay()
  return (
    <dl className="m-facts">
      {Object.entries(body).map(([field, now]) => (
        <FactChange
          key={field}
          wide
          label={say(names[field] ?? [field, field])}
          now={now}
          was={live[field] === now ? undefined : live[field]}
        />
      ))}
    </dl>
  )
}
type Applied = {
  kind: ApplicationKind
  state: AuditState
  reason: string
  submitted_at: number
  body: Worded
  live: Worded
}
type Open = Applied & { asked: readonly AskedItem[] }
/** What the store applies for and nobody has decided. */
export const OpenChange = ({ of, names }: { of: Open; names: Names }) => {
  const say = useSay()
  return (
    <Section
      title={say(applicationKinds[of.kind])}
      aside={<StateBadge row={{ state: of.state, claim_until: null }} />}
    >
      <p className="m-muted">
        {say(['提交于', 'Submitted'])} <When at={of.submitted_at} />
      </p>
      {of.state === 'need_more' && (
        <p>
          {say(['要求补充：{items}。{why}', 'Asked for {items}. {why}'], {
            items: of.asked.map(item => say(askedItems[item])).join(say(comma)),
            why: of.reason,
          })}
        </p>
      )}
      <ChangeLines names={names} body={of.body} live={of.live} />
    </Section>
  )
}
type Past = Applied & {
  id: number
  submitter_name: string
  decided_at: number | null
  decider_name: string
  reason_code: RefuseCode | null
}
/** What the store applied for before, and what became of it. */
export const ChangeHistory = ({ of, names }: { of: readonly Past[]; names: Names }) => {
  const say = useSay()
  return (
    <div id="m-change-history" tabIndex={-1}>
      <Section title={say(['变更历史', 'Earlier changes'])}>
        {of.length === 0 ? (
          <span className="m-muted">{say(['没有变更记录', 'None yet'])}</span>
        ) : (
          <ul className="m-change-list">
            {of.map(one => (
              <li key={one.id}>
                <Badge>{say(applicationKinds[one.kind])}</Badge> {say(auditStates[one.state])} ·{' '}
                <When at={one.decided_at ?? one.submitted_at} />
                <span className="m-muted"> · {one.decider_name || one.submitter_name}</span>
                {one.reason && (
                  <div className="m-muted">
                    {one.reason_code && `${say(refuseCodes[one.reason_code])}${say(colon)}`}
                    {one.reason}
                  </div>
                )}
                {Object.keys(one.live).length > 0 && (
                  <ChangeLines names={names} body={one.body} live={one.live} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}
