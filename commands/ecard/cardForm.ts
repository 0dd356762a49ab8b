import { cardCan } from '#src/areas/ecard/card.ts'
import { cardAdd as addCalls, cardEdit as editCalls } from '#src/modules/ecard/contract/form.ts'
import { cardRow } from '#src/modules/ecard/contract/list.ts'
import { ask, to, type Page } from '../command.ts'
import { cardAdd, cardEdit, cardFaces } from '../pages/ecard.ts'
import { asking, one, pageAction, reason, rowActions } from '../record.ts'

/** What stands beside the form is gone to by a key. */
const beside = (at: Page, stem: string) => ({
  uploadArt: pageAction(`${stem}.uploadArt`, ['上传卡面', 'Upload card designs'], at, { key: 'u' }),
  preview: pageAction(`${stem}.preview`, ['预览', 'Preview'], at, { key: 'v', main: 'plain' }),
  example: pageAction(`${stem}.example`, ['查看试算', 'See the example'], at, { key: 'y' }),
})
/** What is done with the form of a new card. */
export const cardAddActions = {
  submit: pageAction('ecard.list.add.submitForm', ['提交并上架', 'Save and put on sale'], cardAdd, {
    key: 'mod+enter',
    main: true,
    permit: addCalls.submit.permit,
  }),
  save: pageAction('ecard.list.add.saveForm', ['保存草稿', 'Save draft'], cardAdd, {
    key: 'mod+s',
    main: true,
    permit: addCalls.save.permit,
  }),
  saveAsTemplate: pageAction(
    'ecard.list.add.keepTemplate',
    ['存为模板', 'Save as template'],
    cardAdd,
    {
      key: 't',
      main: 'plain',
      permit: addCalls.saveAsTemplate.permit,
      asks: {
        name: ask.text({
          label: ['模板名称', 'Name of the template'],
          min: 2,
          max: 32,
          hint: ['与已有模板同名则覆盖', 'A template of that name is replaced'],
        }),
      },
    },
  ),
  useTemplate: pageAction('ecard.list.add.useTemplate', ['从模板填写', 'Use a template'], cardAdd, {
    key: 'm',
    main: 'plain',
    asks: {
      template_id: ask.entity({
        label: ['模板', 'Template'],
        find: addCalls.templates,
        labelOf: (of: { name: string }) => of.name,
        none: ['还没有模板', 'No templates yet'],
      }),
    },
  }),
  ...beside(cardAdd, 'ecard.list.add'),
}
const row = rowActions(cardEdit, cardRow)
/** What is done with the form of a card that stands. */
export const cardEditActions = {
  submit: row.row('ecard.list.edit.submitForm', ['提交并上架', 'Save and put on sale'], {
    key: 'mod+enter',
    main: true,
    permit: editCalls.submit.permit,
    when: of => cardCan('online', of),
  }),
  save: row.row('ecard.list.edit.saveForm', ['保存修改', 'Save'], {
    key: 'mod+s',
    main: true,
    permit: editCalls.save.permit,
  }),
  diff: pageAction('ecard.list.edit.diff', ['查看改动', 'See the changes'], cardEdit, { key: 'd' }),
  newVersion: row.row(editCalls.newVersion, ['另存为新卡', 'Save as new card'], {
    key: 'shift+c',
    main: 'plain',
    input: one,
    takenBack: 'again',
  }),
  faces: row.row('ecard.list.edit.faces', ['面值规格', 'Face values'], {
    key: 'f',
    main: 'plain',
    permit: cardFaces.permit,
    to: ([of]) => to(cardFaces, { card_id: of!.id }),
  }),
  offline: row.row(editCalls.offline, ['下架', 'Take off sale'], {
    key: 'p',
    danger: true,
    when: of => cardCan('offline', of),
    asks: { reason },
    input: asking(asked => asked),
  }),
  ...beside(cardEdit, 'ecard.list.edit'),
}
