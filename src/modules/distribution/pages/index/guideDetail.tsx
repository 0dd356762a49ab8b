import { to } from '#commands/command.ts'
import { guideDetailActions as actions } from '#commands/distribution/guideDetail.ts'
import { sellersPage } from '#commands/pages/distribution.ts'
import type { Result } from '#src/contract/call.ts'
import { State } from '#src/kit/cells.tsx'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { guideDetail as calls } from '../../contract/guideDetail.ts'
import { EarnedByState, sellerStateLooks, SoldProducts } from '../../parts/sellerSales.tsx'

type Detail = Result<(typeof calls)['detail']>
const Work = ({ of: { row } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['任职', 'Employment'])}>
      <Facts>
        <Fact wide label={say(['门店', 'Store'])}>
          {row.store}
        </Fact>
        <Fact wide label={say(['商户', 'Merchant'])}>
          {row.merchant}
        </Fact>
        {row.mall && <Fact label={say(['商场', 'Mall'])}>{row.mall}</Fact>}
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone ?? '—'}</span>
        </Fact>
        <Fact label={say(['在职证明', 'Proof of employment'])}>
          {row.real_name_ok ? (
            <Badge tone="good">{say(['已核验', 'Checked'])}</Badge>
          ) : (
            <Badge tone="warn">{say(['未核验', 'Not checked'])}</Badge>
          )}
        </Fact>
        <Fact label={say(['企微成员', 'WeCom member'])}>{row.wecom_userid || '—'}</Fact>
        <Fact label={say(['佣金比例', 'Rate'])}>
          {row.own_share_bp === null
            ? say(['按商品设置', 'Per product'])
            : `${((row.own_share_bp ?? 0) / 100).toFixed(2)}%`}
        </Fact>
        <Fact label={say(['加入时间', 'Joined'])}>
          <When at={row.joined_at} />
        </Fact>
        {row.reason && (
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Sales = ({ of: { row, in_store, in_mall } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['业绩', 'Sales'])}>
      <Facts>
        <Fact label={say(['绑定客户', 'Customers'])}>{row.customer_count}</Fact>
        <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
        <Fact label={say(['销售额', 'GMV'])}>
          <Money cents={row.gmv_cents} sign />
        </Fact>
        <Fact label={say(['最近出单', 'Last sale'])}>
          <When at={row.last_sale_at} />
        </Fact>
        <Fact label={say(['店内排名', 'Rank in store'])}>
          {say(['第 {at} / {among} 名', '{at} of {among}'], in_store)}
        </Fact>
        {in_mall && (
          <Fact label={say(['商场排名', 'Rank in mall'])}>
            {say(['第 {at} / {among} 名', '{at} of {among}'], in_mall)}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Earned = ({ of: { states, borne_cents, withdrawing } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['佣金', 'Commission'])}>
      <EarnedByState states={states} />
      <Facts>
        <Fact label={say(['商户承担', 'Borne by merchant'])}>
          <Money cents={borne_cents} sign />
        </Fact>
        <Fact label={say(['提现中', 'Withdrawals'])}>{withdrawing}</Fact>
      </Facts>
    </Section>
  )
}
const Guide = ({ of }: { of: Detail }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { row } = of
  useExport(actions.export, calls.export, { filters: () => ({ id: row.id }) })
  useResult(actions.leave, ({ handed, pooled, on_hold_cents }) => {
    toast(
      on_hold_cents > 0
        ? say(
            [
              '客户已交接 {handed} 位、退回 {pooled} 位；冻结佣金结清后清退',
              'Customers: {handed} handed over, {pooled} back to the store. Removed once commission on hold is settled',
            ],
            { handed, pooled },
          )
        : say(
            [
              '已离职：交接 {handed} 位客户，退回 {pooled} 位',
              'Offboarded: {handed} customers handed over, {pooled} back to the store',
            ],
            { handed, pooled },
          ),
      'success',
    )
    return true
  })
  return (
    <DetailFrame
      row={row}
      actions={Object.values(actions)}
      aside={
        <>
          <State of={row.status} in={sellerStateLooks} />{' '}
          {row.quitting && <Badge tone="warn">{say(['等待清退', 'Awaiting removal'])}</Badge>}
        </>
      }
    >
      <>
        <Sales of={of} />
        <SoldProducts products={of.products} />
      </>
      <>
        <Work of={of} />
        <Earned of={of} />
      </>
    </DetailFrame>
  )
}
/** The guide of `?id=`: where they work, what they sell and earn. */
export default function GuideDetail() {
  return (
    <OfAddress
      call={calls.detail}
      none={['没有指定导购', 'No guide named']}
      back={{
        to: to(sellersPage, { view: 'guides' }),
        text: ['回到导购列表', 'Back to the guides'],
      }}
    >
      {of => <Guide of={of} />}
    </OfAddress>
  )
}
