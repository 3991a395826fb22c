/** The browser data that 3-D Secure asks for. */
export function fillBrowserFields(fields) {
  fields.browser_screen_width.value = screen.width;
  fields.browser_screen_height.value = screen.height;
  fields.browser_color_depth.value = screen.colorDepth;
  fields.browser_time_zone_offset.value = new Date().getTimezoneOffset();
  fields.browser_java_script.value = 'true';
}
