import {
  customerViewActions,
  customerViews,
  sellerCustomerActions as actions,
} from '#commands/distribution/customer.ts'
import { sellerLabel } from '#commands/distribution/customerActs.ts'
import { Among } from '#src/kit/among.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { useSay } from '#src/kit/text.ts'
import { Turns } from '#src/kit/turns.tsx'
import { useList } from '#src/kit/uselist.ts'
import { customers as calls } from '../../contract/customer.ts'
import { CustomerDetail } from '../../parts/CustomerDetail.tsx'
import { CustomerFilters } from '../../parts/CustomerFilters.tsx'
import { customerColumns } from '../../parts/customerLooks.tsx'
import { stateTabs, useTransferTold } from '../../parts/told.ts'
import { Transfers } from '../../parts/Transfers.tsx'

const Bindings = () => {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  useTransferTold(actions.transfer)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['客户列表', 'Customers'])}
        columns={customerColumns}
        actions={Object.values(actions)}
        tabs={stateTabs}
        filters={
          <>
            <CustomerFilters of={list} />
            <Among
              of={list}
              by="distributor_id"
              label={say(['分销员', 'Seller'])}
              find={calls.sellers}
              labelOf={sellerLabel}
              words={['姓名或完整手机号', 'name or full phone number']}
            />
            <CityFilter of={list} />
            <MallFilter of={list} />
          </>
        }
      />
      <Chosen
        of={list}
        none={say(['选择一位客户查看归属', 'Choose a customer to see whose they are'])}
      >
        {row => (
          <CustomerDetail key={row.id} row={row} calls={calls} history={actions.viewHistory} />
        )}
      </Chosen>
    </ListDetail>
  )
}
const draw = { bindings: () => <Bindings />, asks: () => <Transfers /> }
/** Customers with the sellers they are bound to, and transfers that a second person decides. */
export default function SellerCustomers() {
  return <Turns words={customerViews} actions={customerViewActions} draw={draw} />
}
