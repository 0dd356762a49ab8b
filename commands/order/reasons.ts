import { afterSaleReasons } from '#src/modules/config/contract/afterSales.ts'

/** What the dialogs of cases offer, as /config/afterSales has it. */
export const { asked: offeredReasons, refused: offeredRefusals } = afterSaleReasons
