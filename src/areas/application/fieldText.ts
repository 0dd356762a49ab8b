import { shopFields, type ShopField } from '#src/areas/merchant/onlineShop.ts'
import { storeFields, type StoreField } from '#src/areas/merchant/storeForm.ts'
import type { Text } from '#src/domain/text.ts'
import {
  bodyFields,
  isOfShop,
  isOfStore,
  type ApplicationKind,
  type BodyField,
} from './application.ts'

/** What a field of an application of a kind is called; undefined where it has none such. */
export const fieldText = (kind: ApplicationKind, field: string): Text | undefined => {
  if (isOfShop(kind)) return shopFields[field as ShopField]
  return isOfStore(kind) ? storeFields[field as StoreField] : bodyFields[field as BodyField]
}
