import { BanCircle, Edit, Pause, Stopwatch, Tick, Time } from '@blueprintjs/icons'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import type { States } from './cells.tsx'

/** The states of products as every list of them shows them. */
export const productMarks: States<ProductState> = {
  draft: { text: productStates.draft, icon: Edit },
  auditing: { text: productStates.auditing, tone: 'info', icon: Stopwatch },
  on_sale: { text: productStates.on_sale, tone: 'good', icon: Tick },
  off_sale: { text: productStates.off_sale, icon: Pause },
  ended: { text: productStates.ended, icon: Time },
  forced_off: { text: productStates.forced_off, tone: 'bad', icon: BanCircle },
}
/** The tabs of such a list: all, and each state. */
export const productTabs = {
  by: 'state',
  all: [
    { key: '', title: ['全部', 'All'] as const },
    ...(Object.keys(productStates) as ProductState[]).map(key => ({
      key,
      title: productStates[key],
    })),
  ],
}
