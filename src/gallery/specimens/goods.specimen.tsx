import { OffReason, SellerFacts } from '#src/kit/goods.tsx'
import { Facts } from '#src/kit/show.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const sold = {
  merchant_name: '上海山樱餐饮管理有限公司',
  store_name: '山樱料理（半山印象店）',
  store_count: 3,
  city_name: '上海',
  mall_name: '半山印象',
  contract_end_at: null,
}
const title = ['商户与门店', 'Merchant and stores'] as const
const store = ['门店', 'Store'] as const
export const specimen: Specimen = {
  part: 'goods',
  title: ['商品的资料', 'Facts of goods'],
  states: [
    {
      name: ['谁在卖', 'Who sells it'],
      draw: () => <SellerFacts of={sold} title={title} store={store} />,
    },
    {
      name: ['长名称，无商场', 'A long name, no mall'],
      draw: () => (
        <SellerFacts
          of={{ ...sold, merchant_name: longNames[1]!, store_count: 1, mall_name: '' }}
          title={title}
          store={store}
        />
      ),
    },
    {
      name: ['下架原因', 'Why off sale'],
      draw: () => (
        <Facts>
          <OffReason of={{ off_reason: '商户合同到期', comes_back: true }} />
        </Facts>
      ),
    },
  ],
}
