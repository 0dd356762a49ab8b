import { applicationKinds, askedItems, refuseCodes } from '#src/areas/application/application.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import { storeFields, type StoreField } from '#src/areas/merchant/storeForm.ts'
import { offerKinds } from '#src/areas/product/product.ts'
import type { Result } from '#src/contract/call.ts'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { FactChange, StateBadge } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { storeEdit } from '../contract/storeEdit.ts'
import type { StoreProfile } from '../contract/storeForm.ts'

/** Each field that is to be otherwise: what stands there struck out, and what is asked for. */
export const ChangeLines = ({
  body,
  live,
}: {
  body: Readonly<Record<string, string>>
  live: Readonly<Record<string, string>>
}) => {
  const say = useSay()
  return (
    <dl className="m-facts">
      {Object.entries(body).map(([field, now]) => (
        <FactChange
          key={field}
          wide
          label={say(storeFields[field as StoreField] ?? [field, field])}
          now={now}
          was={live[field] === now ? undefined : live[field]}
        />
      ))}
    </dl>
  )
}
/** What the store applies for and nobody has decided. */
export const OpenChange = ({ of }: { of: NonNullable<StoreProfile['application']> }) => {
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
            items: of.asked.map(item => say(askedItems[item])).join('、'),
            why: of.reason,
          })}
        </p>
      )}
      <ChangeLines body={of.body} live={of.live} />
    </Section>
  )
}
type Impact = Result<typeof storeEdit.previewImpact>
/** What a move or another category touches. */
export const ImpactOf = ({ of }: { of: Impact | undefined }) => {
  const say = useSay()
  const unfit = of?.deals.filter(deal => !deal.fits).length ?? 0
  return (
    <div id="sp-impact">
      <Section title={say(['影响的商品与券码', 'Deals and codes it touches'])}>
        {of && (
          <div role="status">
            <Facts>
              <Fact label={say(['在售商品', 'On sale'])}>{of.on_sale}</Fact>
              <Fact label={say(['未核销券码', 'Codes to redeem'])}>{of.codes}</Fact>
              <Fact label={say(['仅本店可核销', 'For it alone'])}>{of.only_here}</Fact>
              <Fact label={say(['随店迁移', 'Go along'])}>{of.goes_along}</Fact>
            </Facts>
            {unfit > 0 && (
              <p className="m-error">
                {say(
                  [
                    '{n} 件在售商品不能在新分类销售，须先下架或取消关联',
                    '{n} on sale may not be sold in the new category',
                  ],
                  { n: unfit },
                )}
              </p>
            )}
            <ul className="sp-list">
              {of.deals.slice(0, 10).map(deal => (
                <li key={deal.id}>
                  {!deal.fits && (
                    <>
                      <Badge tone="bad">{say(['分类不符', 'Unfit'])}</Badge>{' '}
                    </>
                  )}
                  {deal.title}
                  <div className="m-muted">
                    {say(offerKinds[deal.kind])} ·{' '}
                    {say(['{n} 张券码', '{n} codes'], { n: deal.codes })}
                  </div>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Section>
    </div>
  )
}
type History = Result<typeof storeEdit.viewHistory>['list']
/** What the store applied for before, and what became of it. */
export const HistoryOf = ({ of }: { of: History }) => {
  const say = useSay()
  return (
    <div id="sp-history" tabIndex={-1}>
      <Section title={say(['变更历史', 'Earlier changes'])}>
        {of.length === 0 ? (
          <span className="m-muted">{say(['没有变更记录', 'None yet'])}</span>
        ) : (
          <ul className="sp-list">
            {of.map(one => (
              <li key={one.id}>
                <Badge>{say(applicationKinds[one.kind])}</Badge> {say(auditStates[one.state])} ·{' '}
                <When at={one.decided_at ?? one.submitted_at} />
                <span className="m-muted"> · {one.decider_name || one.submitter_name}</span>
                {one.reason && (
                  <div className="m-muted">
                    {one.reason_code && `${say(refuseCodes[one.reason_code])}：`}
                    {one.reason}
                  </div>
                )}
                {one.kind === 'store_change' && <ChangeLines body={one.body} live={one.live} />}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}
