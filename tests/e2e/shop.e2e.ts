import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import {
  complaints,
  enter,
  focusedRow,
  handsOver,
  keyboardTest as test,
  settled,
  tabTo,
} from './desk.ts'
import { draftMerchant, leftBd, markedFacility, tradingMerchant } from './rows.ts'

/** Opens a list at the one row of the journey's own that has this name, and reads it. */
const look = async (page: Page, list: string, name: string) => {
  await page.goto(`/manage/shop/${list}&keyword=${encodeURIComponent(name)}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(name)
  await expect(page.getByRole('article', { name })).toBeVisible()
}
/** Adds the picture of the licence, which a merchant's draft of the journey's own lacks. */
const addLicence = async (page: Page) => {
  const picture = { create: { width: 800, height: 600, channels: 3, background: '#345' } } as const
  handsOver(page, {
    name: '执照.png',
    mimeType: 'image/png',
    buffer: await sharp(picture).png().toBuffer(),
  })
  await page.keyboard.press('m')
  const form = page.getByRole('form', { name: '商户资料' })
  await tabTo(page, form.getByRole('button', { name: /^营业执照照片/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('资料齐全')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('草稿已保存', { exact: true })).toBeVisible()
}
/** Submits a whole draft from the list. */
const submitted = async (page: Page, name: string) => {
  await look(page, 'index?status=draft', name)
  await page.keyboard.press('s')
  await expect(page.getByRole('article', { name })).toHaveCount(0)
}

test('a merchant is frozen and thawed by keys alone, told before what it takes off sale', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { name } = await tradingMerchant(info)
  await enter(page, 'admin', '/manage/home')
  await look(page, 'index?status=active', name)
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/1 件在售商品将下架，解冻后恢复/)).toBeVisible()
  await page.keyboard.type('资质造假调查')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已冻结，下架 1 件商品/)).toBeVisible()

  // It is among the frozen now, by the same name.
  await page.keyboard.press(']')
  await expect(focusedRow(page)).toContainText('已冻结')
  await expect(page.getByRole('article', { name })).toBeVisible()
  await page.keyboard.press('u')
  await expect(dialog.getByText(/1 件因冻结下架的商品恢复在售/)).toBeVisible()
  await page.keyboard.type('调查结束，未发现问题')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已解冻，1 件商品恢复在售/)).toBeVisible()
  expect(found).toEqual([])
})

test('a category of stores is made, given a rate, moved with a look ahead and merged, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { category } = await draftMerchant(info)
  const own = category.slice(-6)
  await enter(page, 'admin', '/manage/shop/cate')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const tree = page.getByRole('tree', { name: '门店经营分类' })
  const chosen = tree.locator('[aria-selected=true]')
  const go = async (name: string, end: 'Home' | 'End' = 'End') => {
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(tree).toBeFocused()
    // A category that was made just now comes with the next answer.
    await expect(tree.getByText(name, { exact: true })).toBeVisible()
    await page.keyboard.press(end)
    await expect(chosen).toContainText(name)
  }
  const make = async (name: string) => {
    await page.keyboard.press('c')
    await dialog.getByRole('textbox', { name: '名称' }).focus()
    await page.keyboard.type(name)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  // A new one begins under the category in focus.
  await go(category, 'Home')
  await make(`新${own}`)
  await make(`旧${own}`)
  await go(`新${own}`)
  await expect(chosen).toHaveAttribute('aria-level', '2')

  await page.keyboard.press('b')
  await dialog.getByRole('textbox', { name: '默认费率（%）' }).focus()
  await page.keyboard.type('8.5')
  await page.keyboard.press('Tab')
  await page.keyboard.type('统一费率')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(chosen).toContainText('8.5%')

  // Out of its category by a key: where it comes to stand is told before it is done.
  await go(`旧${own}`)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(dialog).toContainText('将移到：最上级')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(chosen).toHaveAttribute('aria-level', '1')

  await page.keyboard.press('Shift+M')
  await expect(dialog).toContainText('将移走 0 家门店、0 件商品')
  await page.keyboard.type(`新${own}`)
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await expect(dialog.getByRole('option')).toContainText('合并后 0 家门店')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('两类重复')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await go(`新${own}`)
  await expect(page.getByText(`旧${own}`)).toBeVisible()
  expect(found).toEqual([])
})

test('facilities are put in order, and a store’s mark is taken off and set again, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { name, store } = await markedFacility(info)
  await enter(page, 'admin', '/manage/shop/facility')
  await settled(page)
  const board = page.getByRole('grid', { name: '设施', exact: true })
  await expect(board).toBeFocused()
  const last = board.getByRole('row').last()
  await page.keyboard.press('End')
  await expect(last).toContainText(name)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(last).not.toContainText(name)
  await page.keyboard.press('s')
  await expect(page.getByText(/未保存：/)).toBeHidden()
  await page.reload()
  await settled(page)
  await expect(board.getByText(name, { exact: true })).toBeVisible()
  await expect(last).not.toContainText(name)
  await expect(board).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')

  // The column beside has the stores with the facility in focus.
  await page.keyboard.press('ArrowRight')
  const stores = page.getByRole('grid', { name: /已标注的门店/ })
  await expect(stores).toBeFocused()
  await expect(stores.getByText(store, { exact: true })).toBeVisible()
  await page.keyboard.press('Shift+T')
  await expect(stores.getByText(store, { exact: true })).toHaveCount(0)
  await page.getByLabel('只看未标注').focus()
  await page.keyboard.press('Space')
  const others = page.getByRole('grid', { name: /未标注的门店/ })
  await page.getByRole('textbox', { name: '搜索门店或商场' }).focus()
  await page.keyboard.type(store)
  // The one row that is found: before, the whole list may show it too, further down.
  await expect(others.getByRole('row')).toHaveCount(1)
  await expect(others.getByText(store, { exact: true })).toBeVisible()
  await others.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('t')
  await expect(others.getByText(store, { exact: true })).toHaveCount(0)
  expect(found).toEqual([])
})

test('a draft is submitted and decided by keys alone, and the decision is taken back', async ({
  page,
  colleague,
}, info) => {
  const found = complaints(page)
  const { name } = await draftMerchant(info)
  await enter(page, 'admin', '/manage/home')
  await look(page, 'index?status=draft', name)
  await addLicence(page)
  await submitted(page, name)

  // Whoever submitted it may not decide it; a colleague does.
  const desk = await colleague()
  await enter(desk, 'supervisor', `/manage/shop/audit?keyword=${encodeURIComponent(name)}`)
  await settled(desk)
  await desk.keyboard.press('j')
  await desk.keyboard.press('n')
  await expect(desk.getByText(/已领取，保留 \d 分钟/)).toBeVisible()
  await desk.keyboard.press('r')
  const dialog = desk.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await desk.keyboard.press('1')
  await desk.keyboard.type('执照照片反光，请重新拍摄')
  await desk.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()
  await desk.keyboard.press('Control+z')
  await expect(focusedRow(desk)).toContainText('审核中')
  // What was said at the end of the queue stands until the detail is there again.
  await expect(desk.getByRole('article')).toBeVisible()
  // The queue goes on before the server has answered; what others read is newer only after it.
  const approved = desk.waitForResponse(/shop\/audit\/approve$/)
  await desk.keyboard.press('a')
  await expect(desk.getByText('筛选出的都处理完了')).toBeVisible()
  expect((await approved).status()).toBe(200)

  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.keyboard.press('m')
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.keyboard.press('j')
  await expect(page.getByRole('article', { name })).toContainText('正常')
  expect(found).toEqual([])
})

test('a leaver’s district is handed to another BD, and no store is left alone, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { name } = await leftBd(info)
  await enter(page, 'admin', '/manage/shop/bd')
  await settled(page)
  const people = page.getByRole('grid', { name: 'BD', exact: true })
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(people.getByRole('row').filter({ hasText: '已停用' })).toHaveCount(1)
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(name)

  await page.keyboard.press('h')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/名下 1 家门店/)).toBeVisible()
  await page.keyboard.type('admin')
  await expect(dialog.getByRole('option').first()).toContainText('admin')
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('离职交接')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已移交 1 家门店/)).toBeVisible()
  // They had it this month, so that they stay in the list of this month; without a store.
  await expect(focusedRow(page)).toContainText(/停用\s*0/)
  expect(found).toEqual([])
})

test('a store rests and opens again, and its products are arranged, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { store: name } = await tradingMerchant(info)
  await enter(page, 'admin', '/manage/home')
  await look(page, 'stores?status=open', name)
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/1 件商品没有其他营业门店，将下架至恢复营业/)).toBeVisible()
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await page.keyboard.type('内部装修')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/已暂停营业，下架 1 件商品/)).toBeVisible()

  // It is among the resting now, by the same name.
  await page.keyboard.press(']')
  await expect(focusedRow(page)).toContainText('休息中')
  await expect(page.getByRole('article', { name })).toBeVisible()
  await page.keyboard.press('o')
  await expect(page.getByText(/已恢复营业，1 件商品恢复在售/)).toBeVisible()

  // A clerk by a phone that nobody has, then what can be used at a store.
  await page.keyboard.press('[')
  await expect(focusedRow(page)).toContainText('营业中')
  await expect(page.getByRole('article', { name })).toBeVisible()
  await page.keyboard.press('v')
  await expect(dialog.getByRole('textbox', { name: /^手机号/ })).toBeFocused()
  await page.keyboard.type(`139${name.slice(-8)}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('陈小满')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('已添加新核销员')).toBeVisible()
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/\/manage\/shop\/stores\/linkGoods\?store_id=\d+/)
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  expect(found).toEqual([])
})

test('what a store takes is limited by keys alone', async ({ page }, info) => {
  const found = complaints(page)
  const { store_id } = await tradingMerchant(info)
  await enter(page, 'admin', `/manage/shop/stores/linkGoods?store_id=${store_id}`)
  const board = page.getByRole('grid', { name: '本店适用商品', exact: true })
  await expect(board.getByRole('row').first()).toBeVisible()
  await tabTo(page, board)
  await page.keyboard.press('e')
  const dates = page.getByRole('dialog').getByRole('textbox', { name: /^不可用日期/ })
  await tabTo(page, dates)
  await page.keyboard.type('2027-01-01，2027/1/2')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(board.getByRole('row').first()).toContainText('2 天不可用')
  expect(found).toEqual([])
})

test('what is read from a licence is put into the form line by line, by keys alone', async ({
  page,
}, info) => {
  const found = complaints(page)
  const { name: applies } = await draftMerchant(info)
  const own = applies.slice(-6)
  // How a picture is read has tests of its own; here a reader says what it likes.
  const values = { name: `照片上的名称${own}`, legal_name: '欧阳小红', kind: '个体工商户' }
  const answers = [
    { fault: '识别失败：无法连接', values: {}, checked: [] },
    { fault: '', values, checked: [] },
  ]
  await page.route('**/shop/index/add/ocrLicense?*', route =>
    route.fulfill({ json: { status: 200, message: 'ok', data: answers.shift() } }),
  )
  await enter(page, 'admin', '/manage/home')
  await look(page, 'index?status=draft', applies)
  await addLicence(page)
  const form = page.getByRole('form', { name: '商户资料' })
  const name = form.getByRole('textbox', { name: /^商户名称/ })
  const person = form.getByRole('textbox', { name: /^法人姓名/ })
  await expect(name).toBeVisible()
  const [stood, owner] = [await name.inputValue(), await person.inputValue()]
  await page.keyboard.press('Control+Shift+E')
  await expect(page.getByText('识别失败：无法连接')).toBeVisible()
  await expect(page.getByRole('button', { name: '重新识别' })).toBeFocused()
  await page.keyboard.press('Enter')
  const read = page.getByRole('list', { name: '识别结果' })
  await expect(read).toContainText('个体工商户')
  // Nothing is filled in by itself; the first line is at hand, then the next.
  await expect(read.getByRole('button', { name: /^填入名称/ })).toBeFocused()
  await expect(name).toHaveValue(stood)
  await page.keyboard.press('Enter')
  await expect(name).toHaveValue(`照片上的名称${own}`)
  await expect(read.getByRole('button', { name: /^填入法定代表人/ })).toBeFocused()
  await expect(person).toHaveValue(owner)
  await page.keyboard.press('Enter')
  await expect(person).toHaveValue('欧阳小红')
  await expect(person).toBeFocused()
  await expect(read.getByText('与填写一致')).toHaveCount(2)

  // In an audit it stands beside the picture, and what differs from the application is marked.
  await page.route('**/shop/audit/readLicence?*', route =>
    route.fulfill({
      json: {
        status: 200,
        message: 'ok',
        data: { fault: '', values: { name: '另一家公司' }, checked: [], differs: ['name'] },
      },
    }),
  )
  await submitted(page, applies)
  await page.goto(`/manage/shop/audit?keyword=${encodeURIComponent(applies)}`)
  await settled(page)
  await expect(focusedRow(page)).toContainText(applies)
  const audit = page.getByRole('article', { name: applies })
  await expect(audit.getByRole('button', { name: '识别营业执照' })).toBeVisible()
  await page.keyboard.press('l')
  await expect(audit.getByText('另一家公司')).toBeVisible()
  await expect(audit.getByText(/^与申请不同：/)).toBeVisible()
  expect(found).toEqual([])
})
