import { batchSentence } from '#src/areas/redeemCode/batchSentence.ts'
import { cardText } from '#src/areas/redeemCode/card.ts'
import { couponText } from '#src/areas/redeemCode/film.ts'
import { bearers, codeKinds } from '#src/areas/redeemCode/redeemCode.ts'
import { alphabetWords } from '#src/areas/secret/secretCode.ts'
import { comma } from '#src/domain/text.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { BatchRow } from '../contract/index.ts'
import { BatchStock } from './CardStock.tsx'
import { Worked } from './Worked.tsx'

type Props = { row: BatchRow }
const Rewards = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['奖励与成本', 'Rewards and cost'])}>
      <Facts>
        <Fact wide label={say(['奖励', 'Rewards'])}>
          {row.coupons.map(one => (
            <div key={one.id}>
              {couponText(one, say)}{' '}
              {one.ended && <Badge tone="bad">{say(['已不在发放', 'Ended'])}</Badge>}
            </div>
          ))}
          {row.points > 0 &&
            say(['{n} 积分（{days} 天内有效）', '{n} points for {days} days'], {
              n: row.points.toLocaleString(),
              days: row.points_days,
            })}
          {row.card && (
            <div>
              {cardText(row.card, say)} · {say(['每码成本', 'cost per code'])}{' '}
              <Money cents={row.ecard_cents} />{' '}
              {row.card.ended && <Badge tone="bad">{say(['不能发放', 'Can’t be given'])}</Badge>}
            </div>
          )}
          {row.membership && (
            <div>
              {say(['会员时长「{plan}」{n} 天', '{n} days of “{plan}”'], {
                plan: row.membership.plan,
                n: row.membership.days,
              })}{' '}
              · {say(['每码成本', 'cost per code'])} <Money cents={row.vip_cents} />{' '}
              {row.membership.ended && <Badge tone="bad">{say(['卡种不在售', 'Off sale'])}</Badge>}
            </div>
          )}
          {row.goods && (
            <div>
              {say(['实物「{name}」', 'Prize “{name}”'], { name: row.goods })} ·{' '}
              {say(['单件成本', 'cost each'])} <Money cents={row.goods_cents} />
            </div>
          )}
        </Fact>
        <Fact label={say(['最多支出', 'Maximum cost'])}>
          <Money cents={row.worst_cents} />
        </Fact>
        <Fact label={say(['预算', 'Budget'])}>
          <Money cents={row.budget_cents} />
        </Fact>
        <Fact label={say(['成本承担', 'Cost borne by'])}>{say(bearers[row.bearer])}</Fact>
      </Facts>
    </Section>
  )
}
const Codes = ({ row }: Props) => {
  const say = useSay()
  const bound = (n: number | null) => n ?? say(['不限', 'No limit'])
  return (
    <Section title={say(['码与限制', 'Codes and limits'])}>
      <Facts>
        <Fact label={say(['码类型', 'Kind'])}>{say(codeKinds[row.code_kind])}</Fact>
        <Fact label={say(['码式', 'Format'])}>
          <code>{row.prefix}</code> ·{' '}
          {say(['{n} 位{signs}', '{n}, {signs}'], {
            n: row.length,
            signs: say(alphabetWords[row.alphabet]),
          })}
        </Fact>
        {row.use_limit !== null && (
          <Fact label={say(['每码可用', 'Uses of a code'])}>{row.use_limit}</Fact>
        )}
        <Fact wide label={say(['限兑', 'Limits'])}>
          {say(
            ['会员 {a} · 手机 {b} · 设备 {c}', 'Per member {a} · per phone {b} · per device {c}'],
            {
              a: bound(row.limit_member),
              b: bound(row.limit_phone),
              c: bound(row.limit_device),
            },
          )}
        </Fact>
        <Fact label={say(['适用商场', 'Malls'])}>
          {row.malls.map(one => one.name).join(say(comma)) || say(['全部', 'All'])}
        </Fact>
        {row.new_only && (
          <Fact label={say(['对象', 'Who'])}>{say(['仅新会员', 'New members'])}</Fact>
        )}
        <Fact label={say(['开始', 'From'])}>
          <When at={row.start_at} />
        </Fact>
        <Fact label={say(['结束', 'Until'])}>
          <When at={row.end_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Partner = ({ row }: Props) => {
  const say = useSay()
  const said = batchSentence({
    ...row,
    malls: row.malls.length,
  })
  return (
    <Section title={say(['批次', 'Batch'])}>
      <p>{say(said)}</p>
      <Facts>
        <Fact label={say(['合作方', 'Partner'])}>{row.partner}</Fact>
        <Fact label={say(['合同号', 'Contract'])}>{row.contract_no || '—'}</Fact>
        <Fact label={say(['创建人', 'Created by'])}>{row.creator}</Fact>
        <Fact label={say(['审核人', 'Approved by'])}>{row.approver || '—'}</Fact>
        {row.reason && (
          <Fact wide label={say(['原因', 'Why'])}>
            {row.reason}
          </Fact>
        )}
        {row.note && (
          <Fact wide label={say(['备注', 'Note'])}>
            {row.note}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** How the partner calls our API, for all of its batches. */
const Api = ({ row: { api } }: Props) => {
  const say = useSay()
  if (!api) return null
  return (
    <Section title={say(['合作方接口', 'Partner API'])}>
      <Facts>
        <Fact label={say(['状态', 'State'])}>
          {api.status === 'on' ? say(['启用', 'On']) : say(['已停用', 'Stopped'])}
        </Fact>
        {api.reason && <Fact label={say(['停用原因', 'Reason'])}>{api.reason}</Fact>}
        <Fact wide label={say(['密钥编号', 'Key'])}>
          <code>{api.app_key}</code>
        </Fact>
        {api.old_key_until !== null && (
          <Fact label={say(['旧密钥失效', 'Old key expires'])}>
            <When at={api.old_key_until} />
          </Fact>
        )}
        <Fact wide label={say(['IP 白名单', 'IP allowlist'])}>
          {api.ip_list.join(say(comma)) ||
            say(['未设置，接口不可用', 'Not set: the API can’t be called'])}
        </Fact>
      </Facts>
    </Section>
  )
}
/** The promises of a batch, to whom, and within what bounds. */
export const BatchFacts = ({ row }: Props) => {
  const say = useSay()
  return (
    <>
      {row.amendment && (
        <Section title={say(['待审核的变更', 'Change in audit'])}>
          <p>{row.amendment.reason}</p>
          <ul>
            {row.amendment.lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Section>
      )}
      <Rewards row={row} />
      {row.card && row.status !== 'ended' && <BatchStock row={row} />}
      {row.status !== 'ended' && <Worked of={row} />}
      <Codes row={row} />
      <Partner row={row} />
      <Api row={row} />
    </>
  )
}
