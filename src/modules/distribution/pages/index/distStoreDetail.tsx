import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { distStoreActions as actions } from '#commands/distribution/distStoreDetail.ts'
import { guideDetail, sellersPage } from '#commands/pages/distribution.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { distStoreDetail as calls } from '../../contract/distStoreDetail.ts'
import { EarnedByState, sellerStateLooks, SoldProducts } from '../../parts/sellerSales.tsx'

type Detail = Result<(typeof calls)['detail']>
const Sales = ({ of: { row, guides } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['跨店销售', 'Cross-store sales'])}>
      <Facts>
        <Fact label={say(['导购', 'Guides'])}>{guides.length}</Fact>
        <Fact label={say(['带来客户', 'Customers brought'])}>
          {guides.reduce((sum, one) => sum + one.customer_count, 0)}
        </Fact>
        <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
        <Fact label={say(['销售额', 'GMV'])}>
          <Money cents={row.gmv_cents} sign />
        </Fact>
        <Fact label={say(['最近出单', 'Last sale'])}>
          <When at={row.last_sale_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Guides = ({ of: { guides } }: { of: Detail }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <Section title={say(['导购', 'Guides'])}>
      {guides.length === 0 ? (
        <p className="m-muted">{say(['门店还没有导购', 'The store has no guide'])}</p>
      ) : (
        <SmallTable
          head={[
            ['姓名', 'Name'],
            ['客户', 'Customers'],
          ]}
          rows={guides}
          keyOf={one => one.id}
          cells={one => [
            me.can(guideDetail.permit) ? (
              <Link key="name" href={to(guideDetail, { id: one.id })}>
                {one.name}
              </Link>
            ) : (
              one.name
            ),
            one.customer_count,
          ]}
        />
      )}
    </Section>
  )
}
const Terms = ({ of: { row } }: { of: Detail }) => {
  const say = useSay()
  const names = Object.values(row.product_names)
  return (
    <Section title={say(['门店与结算', 'Store and settlement'])}>
      <Facts>
        <Fact wide label={say(['商户', 'Merchant'])}>
          {row.merchant}
        </Fact>
        {row.mall && <Fact label={say(['商场', 'Mall'])}>{row.mall}</Fact>}
        <Fact label={say(['营业', 'Business'])}>
          {row.store_status === 'open' ? (
            <Badge tone="good">{say(['营业中', 'Open'])}</Badge>
          ) : (
            <Badge tone="warn">{say(['未营业', 'Not open'])}</Badge>
          )}
        </Fact>
        <Fact wide label={say(['结算账户', 'Account'])}>
          {row.bank_name ? `${row.bank_name} ${row.bank_no ?? '—'}` : say(['商户未填', 'None'])}
        </Fact>
        <Fact label={say(['佣金比例', 'Rate'])}>
          {row.own_share_bp === null
            ? say(['按商品设置', 'Per product'])
            : `${((row.own_share_bp ?? 0) / 100).toFixed(2)}%`}
        </Fact>
        <Fact wide label={say(['可分销商品', 'Can sell'])}>
          {row.product_ids === null
            ? say(['全部分销商品（本商户除外）', 'All distributed products except its own'])
            : names.join(say(comma))}
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
const Shop = ({ of }: { of: Detail }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { row } = of
  useExport(actions.export, calls.export, { filters: () => ({ id: row.id }) })
  useResult(actions.settleNow, ({ moved_cents, lines }) => {
    toast(
      say(['已结算 {n} 笔，共 {sum} 元', '{n} lines settled, ¥{sum} in total'], {
        n: lines,
        sum: yuan(moved_cents),
      }),
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
          {row.paused && <Badge tone="warn">{say(['暂停分销', 'Paused'])}</Badge>}
        </>
      }
    >
      <>
        <Sales of={of} />
        <SoldProducts products={of.products} />
        <Guides of={of} />
      </>
      <>
        <Terms of={of} />
        <Section title={say(['佣金', 'Commission'])}>
          <EarnedByState states={of.states} />
          <Facts>
            <Fact label={say(['可结算', 'To settle'])}>
              <Money cents={row.due_cents} sign />
            </Fact>
          </Facts>
        </Section>
      </>
    </DetailFrame>
  )
}
/** The distributing store of `?id=`: what it brings, what it may sell and is paid. */
export default function DistStoreDetail() {
  return (
    <OfAddress
      call={calls.detail}
      none={['没有指定门店', 'No store named']}
      back={{
        to: to(sellersPage, { view: 'stores' }),
        text: ['回到分销门店列表', 'Back to the stores'],
      }}
    >
      {of => <Shop of={of} />}
    </OfAddress>
  )
}
