import { storeAdd } from '#src/modules/shop/contract/storeAdd.ts'
import { storeEdit } from '#src/modules/shop/contract/storeEdit.ts'
import { storeProfile } from '#src/modules/shop/contract/storeForm.ts'
import { stores, type StoreRow } from '#src/modules/shop/contract/stores.ts'
import { action, ask } from '../command.ts'
import { storeEdit as editPage, storeForm } from '../pages/shop.ts'
import { pageAction } from '../record.ts'

/** What is done with the form of a new store. */
export const storeFormActions = {
  submit: action(storeAdd.submit, {
    title: '提交审核',
    en: 'Submit for audit',
    key: 'mod+enter',
    at: storeForm,
    main: true,
  }),
  saveDraft: action(storeAdd.saveDraft, {
    title: '保存草稿',
    en: 'Save draft',
    key: 'mod+s',
    at: storeForm,
    main: true,
  }),
  locate: pageAction('shop.stores.add.locate', ['地图选点', 'Set the pin'], storeForm, {
    key: 'm',
    main: 'plain',
    alias: ['坐标', '定位', 'map'],
  }),
  checkDuplicate: pageAction(
    'shop.stores.add.checkDuplicate',
    ['检查重复门店', 'Check for duplicates'],
    storeForm,
    { key: 'd', permit: storeAdd.checkDuplicate.permit },
  ),
  copyFrom: pageAction(
    'shop.stores.add.copyFrom',
    ['复制其他门店资料', 'Copy from another store'],
    storeForm,
    {
      key: 'o',
      asks: {
        store_id: ask.entity({
          label: ['复制自', 'Copy from'],
          find: stores.lst,
          labelOf: (row: StoreRow) => row.name,
          hint: [
            '复制商户、分类、品牌、营业时间、人均与设施；名称、位置与图片不复制',
            'Copies merchant, category, brand, hours, price and facilities; not name, location or pictures',
          ],
        }),
      },
    },
  ),
}

/** What is done with the form of a store in trade. */
export const storeEditActions = {
  save: action(storeEdit.save, {
    title: '保存',
    en: 'Save',
    key: 'mod+s',
    at: editPage,
    main: true,
  }),
  submitChange: action(storeEdit.submitChange, {
    title: '提交变更审核',
    en: 'Submit the change',
    key: 'mod+enter',
    at: editPage,
    main: true,
  }),
  withdrawChange: action(storeEdit.withdrawChange, {
    title: '撤回变更',
    en: 'Withdraw the change',
    key: 'shift+s',
    at: editPage,
    on: storeProfile,
    takes: 'row',
    when: row => row.application !== null || ['没有待审的变更', 'No change awaits audit'],
    main: 'plain',
    takenBack: 'opposite',
  }),
  previewImpact: pageAction(
    'shop.stores.edit.previewImpact',
    ['查看影响的商品', 'View impact'],
    editPage,
    { key: 'i', main: 'plain', permit: storeEdit.previewImpact.permit },
  ),
  viewHistory: pageAction(
    'shop.stores.edit.viewHistory',
    ['查看变更历史', 'View changes'],
    editPage,
    { key: 'shift+h', permit: storeEdit.viewHistory.permit },
  ),
}
