import { cardPreview as calls } from '#src/modules/ecard/contract/preview.ts'
import { cardPreview } from '../pages/ecard.ts'
import { pageAction } from '../record.ts'

/** What is done with a preview: it is turned, scanned and passed on; nothing is bought. */
export const previewActions = {
  getMpImg: pageAction('ecard.list.preview.code', ['生成预览码', 'Preview code'], cardPreview, {
    key: 'q',
    main: true,
    permit: calls.key.permit,
  }),
  copyLink: pageAction(
    'ecard.list.preview.copyLink',
    ['复制预览链接', 'Copy the link'],
    cardPreview,
    {
      key: 'l',
      main: 'plain',
      permit: calls.key.permit,
    },
  ),
  switchScene: pageAction(
    'ecard.list.preview.switchScene',
    ['下一场景', 'Next scene'],
    cardPreview,
    {
      key: 'n',
      main: 'plain',
    },
  ),
  switchFace: pageAction('ecard.list.preview.switchFace', ['下一面值', 'Next face'], cardPreview, {
    key: 'f',
    main: 'plain',
  }),
  switchDark: pageAction(
    'ecard.list.preview.switchDark',
    ['深浅色', 'Light or dark'],
    cardPreview,
    {
      key: 'd',
      main: 'plain',
    },
  ),
  longName: pageAction('ecard.list.preview.longName', ['超长名称', 'A long name'], cardPreview, {
    key: 'm',
    main: 'plain',
  }),
}
