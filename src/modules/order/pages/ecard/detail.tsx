import { useCallback, useMemo, useState } from 'react'
import { ecardOrderActions, ecardOrderDetailActions } from '#commands/ecard/orders.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { useRead } from '#src/kit/data.ts'
import { Fact, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { ecardOrder as calls, ecardOrderDetail } from '../../contract/ecard.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import {
  Cards,
  Gifts,
  HolderMoves,
  Identity,
  MoveNotice,
  PagedSection,
  Pages,
  Risks,
  SHOWN,
} from '../../parts/ecards.tsx'
import { InvoiceOf } from '../../parts/invoice.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { SupplierRequests } from '../../parts/requests.tsx'

type Choose = { chosen: ReadonlySet<number>; onChoose: (id: number) => void }
/** All that an order of cards has beside other orders. */
const Parts = ({ of: { order }, chosen, onChoose }: { of: OrderDetail } & Choose) => {
  const say = useSay()
  const [page, setPage] = useState(1)
  const read = useRead(ecardOrderDetail.cards, { id: order.id, page, pageSize: SHOWN })
  return (
    <Answer of={read}>
      {({ cards, total, identity, risks }) => (
        <>
          <MoveNotice row={order} />
          <Section
            title={say(['卡', 'Cards'])}
            aside={<Pages at={page} total={total} go={setPage} />}
          >
            {total === 0 ? (
              <p className="m-muted">{say(['还没有发放的卡', 'No card was issued yet'])}</p>
            ) : (
              <Cards of={cards} chosen={chosen} onChoose={onChoose} />
            )}
          </Section>
          <PagedSection
            of={ecardOrderDetail.gifts}
            order_id={order.id}
            title={['赠送记录', 'Gifts']}
          >
            {list => <Gifts of={list} />}
          </PagedSection>
          <SupplierRequests order_id={order.id} />
          <PagedSection
            of={ecardOrderDetail.moves}
            order_id={order.id}
            title={['变更持卡人', 'Changes of holder']}
          >
            {list => <HolderMoves of={list} />}
          </PagedSection>
          {identity && <Identity of={identity} />}
          {risks.length > 0 && (
            <Section title={say(['风控标记', 'Risk marks'])}>
              <Risks of={risks} />
            </Section>
          )}
        </>
      )}
    </Answer>
  )
}

const { export: _, ...shared } = ecardOrderActions
const actions = [...Object.values(shared), ...Object.values(ecardOrderDetailActions)]
export default function EcardOrder() {
  const say = useSay()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const onChoose = useCallback(
    (id: number) =>
      setChosen(now => {
        const next = new Set(now)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  const given = useMemo(
    () => (of: OrderDetail) => ({
      card_ids: [...chosen],
      ...(chosen.size > 0 &&
        of.items[0] && {
          chosen_cents: partOf(of.items[0].pay_cents, of.items[0].qty, chosen.size),
        }),
    }),
    [chosen],
  )
  return (
    <OrderPage
      calls={calls}
      actions={actions}
      chosen={given}
      revealPhone={ecardOrderActions.revealPhone}
      revealCode={ecardOrderDetailActions.revealSecret}
      codeLabel={['卡密', 'The secret']}
      queryPay={ecardOrderDetailActions.queryPay}
      facts={of => (
        <Fact wide label={say(['发票', 'Invoice'])}>
          <InvoiceOf of={of.facts.invoice} />
        </Fact>
      )}
    >
      {of => <Parts of={of} chosen={chosen} onChoose={onChoose} />}
    </OrderPage>
  )
}
