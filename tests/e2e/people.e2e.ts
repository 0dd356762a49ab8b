import { expect } from '@playwright/test'
import { command, complaints, enter, job, keys, settled, toasts } from './desk.ts'

job(
  'create a role and a member of staff and sign in as them, by keyboard alone',
  async ({ page, colleague }) => {
    const found = complaints(page)
    await enter(page, 'admin', '/manage/system/role')
    await settled(page)
    const mark = '31415926'
    const [roleName, account] = [`巡检员${mark}`, `walker${mark}`]

    await page.keyboard.press('c')
    await expect(page.getByRole('dialog', { name: '新增角色' })).toBeVisible()
    await expect(page.getByLabel('角色名称', { exact: true })).toBeFocused()
    await page.keyboard.type(roleName)
    await page.keyboard.press('Tab')
    await page.keyboard.type(`walker_${mark}`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // To the new role, into its matrix, and to the one right it is for: searched, ticked, its view
    // with it.
    await page.keyboard.press('/')
    await page.keyboard.type(roleName)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('grid', { name: '角色权限' }).locator('.m-grid-row')).toHaveCount(1)
    await expect(page.getByRole('heading', { name: roleName })).toBeVisible()
    await page.keyboard.press('Enter')
    const matrix = page.getByRole('tree', { name: '权限' })
    await expect(matrix).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('textbox', { name: '在树中查找' })).toBeFocused()
    await page.keyboard.type('audit.bulks.claimNext')
    await page.keyboard.press('Enter')
    await expect(matrix).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await expect(page.getByRole('treeitem', { name: /audit\.bulks\.claimNext/ })).toHaveAttribute(
      'aria-checked',
      'true',
    )
    await page.keyboard.press('s')
    const saving = page.getByRole('dialog', { name: `保存权限：${roleName}` })
    await expect(saving.getByText('影响 0 人')).toBeVisible()
    await expect(saving.getByRole('list', { name: '新增权限' }).getByRole('listitem')).toHaveCount(
      2,
    )
    await page.keyboard.press('Enter')
    await expect(toasts(page).first()).toContainText('新增 2 项')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('d')
    await expect(page.getByRole('dialog', { name: '设置数据范围' })).toBeVisible()
    const scope = page.getByRole('dialog').getByRole('combobox')
    await expect(scope).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect(scope).toHaveValue('all')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // The person: the page by its keys, the form by Tab, department and role by typing.
    await keys(page, 'g s s')
    await expect(page.getByRole('grid', { name: '员工账号' })).toBeFocused()
    await settled(page)
    await page.keyboard.press('c')
    await expect(page.getByRole('dialog', { name: '新增员工' })).toBeVisible()
    await expect(page.getByLabel('账号', { exact: true })).toBeFocused()
    await page.keyboard.type(account)
    await page.keyboard.press('Tab')
    await page.keyboard.type('巡检一号')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2380000000')
    await page.keyboard.press('Tab')
    // Checked as the field is left (specification, section 5).
    await expect(page.getByText('请输入格式正确的手机号码')).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(`139${mark}`)
    await page.keyboard.press('Tab')
    await page.keyboard.type(`${account}@mallet.example`)
    await page.keyboard.press('Tab')
    await page.keyboard.type('团购审核组')
    await expect(page.getByRole('listbox', { name: '部门' }).getByRole('option')).toHaveText([
      /团购审核组/,
    ])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(roleName)
    await expect(page.getByRole('listbox', { name: '角色' }).getByRole('option')).toHaveText([
      roleName,
    ])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const told = page.getByRole('dialog', { name: '初始密码' })
    await expect(told.getByText('只显示这一次')).toBeVisible()
    const password = (await told.locator('.p-password').textContent())!
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(found).toEqual([])

    // As that person, elsewhere: the password is changed first, then the menu holds the one page of
    // the role, and it works.
    const other = await colleague()
    await other.goto('/')
    await expect(other.getByLabel('账号', { exact: true })).toBeFocused()
    await other.keyboard.type(account)
    await other.keyboard.press('Tab')
    await other.keyboard.type(password)
    await other.keyboard.press('Enter')
    await expect(other.locator('[name=fresh]')).toBeFocused()
    await other.keyboard.type('Walker#2026')
    await other.keyboard.press('Tab')
    await other.keyboard.type('Walker#2026')
    await other.keyboard.press('Enter')
    await expect(other.getByRole('navigation', { name: '主菜单' })).toBeVisible()
    await expect(other.getByRole('navigation', { name: '主菜单' }).getByRole('link')).toHaveText([
      /工作台/,
      /团购审核/,
      /帮助/,
    ])
    await command(other, 'tgsh')
    await expect(other.getByRole('grid', { name: '团购审核' })).toBeVisible()

    // A role switched off acts on what they do next, without signing in again.
    // Its tab comes back as it was left: the role that was searched, the focus in its matrix.
    await keys(page, 'g s r')
    await expect(matrix).toBeFocused()
    await settled(page)
    await expect(page.getByRole('grid', { name: '角色权限' }).locator('.m-grid-row')).toHaveCount(1)
    await expect(page.getByRole('heading', { name: roleName })).toBeVisible()
    await command(page, '>停用角色')
    // Its one question is a step of the palette.
    await page.keyboard.type('岗位撤销')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: `${roleName} 停用` })).toBeVisible()
    await other.keyboard.press('n')
    await expect(toasts(other).last()).toContainText(/没有权限|需要权限/)
  },
)
