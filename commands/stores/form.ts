import { shopAdd } from '#src/modules/stores/contract/addStores.ts'
import { shopEdit } from '#src/modules/stores/contract/editStores.ts'
import { shopProfile } from '#src/modules/stores/contract/form.ts'
import { action, ask } from '../command.ts'
import { shopEdit as editPage, shopForm } from '../pages/stores.ts'
import { pageAction } from '../record.ts'

/** What is done with the form of a new online shop. */
export const shopFormActions = {
  submit: action(shopAdd.submit, {
    title: '提交审核',
    en: 'Submit for audit',
    key: 'mod+enter',
    at: shopForm,
    main: true,
  }),
  saveDraft: action(shopAdd.saveDraft, {
    title: '保存草稿',
    en: 'Save draft',
    key: 'mod+s',
    at: shopForm,
    main: true,
  }),
  pickMerchant: pageAction(
    'stores.addStores.pickMerchant',
    ['选择商户', 'Pick a merchant'],
    shopForm,
    {
      key: 'm',
      permit: shopAdd.pickMerchant.permit,
    },
  ),
  checkName: pageAction('stores.addStores.checkName', ['检查重名', 'Check the name'], shopForm, {
    key: 'd',
    permit: shopAdd.checkName.permit,
  }),
  importFromStore: pageAction(
    'stores.addStores.importFromStore',
    ['从门店带入资料', 'Copy from a store'],
    shopForm,
    {
      key: 'o',
      main: 'plain',
      permit: shopAdd.importFromStore.permit,
      asks: {
        store_id: ask.entity({
          label: ['门店', 'Store'],
          find: shopAdd.sources,
          labelOf: (row: { name: string }) => row.name,
          hint: [
            '带入商户、品牌、名称、店标、电话与时间；分类、发货与退货须另填',
            'Merchant, brand, name, logo, phone and hours; not categories, freight or returns',
          ],
        }),
      },
    },
  ),
}

/** What is done with the form of an online shop that is there. */
export const shopEditActions = {
  save: action(shopEdit.save, {
    title: '保存',
    en: 'Save',
    key: 'mod+s',
    at: editPage,
    main: true,
  }),
  submitChange: action(shopEdit.submitChange, {
    title: '提交变更审核',
    en: 'Submit the change',
    key: 'mod+enter',
    at: editPage,
    main: true,
  }),
  withdrawChange: action(shopEdit.withdrawChange, {
    title: '撤回变更',
    en: 'Withdraw the change',
    key: 'shift+s',
    at: editPage,
    on: shopProfile,
    takes: 'row',
    when: row => row.application !== null || ['没有待审的变更', 'No change awaits audit'],
    main: 'plain',
    takenBack: 'opposite',
  }),
  restoreField: pageAction(
    'stores.editStores.restoreField',
    ['恢复为原值', 'Revert this field'],
    editPage,
    { key: 'mod+shift+u', main: 'plain', alias: ['撤销修改', 'revert the field'] },
  ),
  viewHistory: pageAction(
    'stores.editStores.viewHistory',
    ['查看变更历史', 'View changes'],
    editPage,
    { key: 'shift+h', permit: shopEdit.viewHistory.permit },
  ),
}
