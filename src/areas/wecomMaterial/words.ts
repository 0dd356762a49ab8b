import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { materialKinds, materialStates } from './material.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  wecom_material: {
    title: ['企微素材', 'Material of messages'],
    fields: {
      title: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: materialKinds },
      category: { title: ['分类', 'Category'] },
      body: { title: ['内容', 'Content'] },
      valid_to_at: { title: ['有效期至', 'Valid until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: materialStates },
      off_reason: { title: ['停用原因', 'Reason disabled'] },
      uses: { title: ['使用位置', 'Used by'] },
      replaced_by: { title: ['替换为', 'Replaced by'], kind: 'number' },
      refreshed: { title: ['刷新的文件', 'File put there anew'] },
    },
  },
}
