-- The pages of second looks stand in the menu from here on; a page is hidden there only by hand.
UPDATE "menu" SET visible = true, version = version + 1 WHERE side = 'ops' AND type = 'page' AND redirect IN ('/manage/audit/look', '/manage/audit/look/figures') AND NOT visible;
