ALTER TABLE "wecom_event" ALTER COLUMN "fault" SET DATA TYPE jsonb USING CASE WHEN "fault" IS NOT NULL THEN jsonb_build_array("fault", "fault") END;
