import { configActions } from '#commands/order/settings.ts'
import { config as page } from '#commands/pages/order.ts'
import { storeScopes } from '#src/areas/order/orderRules.ts'
import { config as calls } from '../contract/config.ts'
import { RulesPage } from '../parts/RulesPage.tsx'

/**
 * What holds of orders used or picked up at a store: how long they may be paid, refunded, taken
 * back and held, kind by kind.
 */
export default function OrderConfig() {
  return <RulesPage calls={calls} actions={configActions} page={page} kinds={storeScopes} />
}
