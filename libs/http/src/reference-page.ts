/**
 * The page of the API reference around Swagger UI. Nothing comes from another host, and no script or style stands in the
 * page, so that the strictest Content-Security-Policy holds. Every address is relative: the service may be behind a prefix.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param folder where the page's files are, seen from the page */
export function pageIn(folder: './' | './docs/'): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="stylesheet" href="${folder}swagger-ui.css">
<link rel="stylesheet" href="${folder}page.css">
<link rel="icon" type="image/png" href="${folder}favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="${folder}swagger-ui-bundle.js"></script>
<script src="${folder}page.js"></script>
</body>
</html>
`;
}

/** Swagger UI itself filters by tag alone. */
export const SCRIPT = `const matches = (operation, tag, words) => {
  const { operationId, summary } = operation.get('operation').toJS();
  const text = [tag, operation.get('method'), operation.get('path'), operationId, summary].join(' ').toLowerCase();
  return words.every(word => text.includes(word));
};

const search = ({ React }) => ({
  fn: {
    opsFilter: (taggedOperations, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/);
      return taggedOperations
        .map((group, tag) =>
          group.update('operations', operations => operations.filter(each => matches(each, tag, words))),
        )
        .filter(group => group.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions }) => {
      const label = 'Search by path, summary or operation id';
      const phrase = layoutSelectors.currentFilter();
      return React.createElement('input', {
        type: 'search',
        className: 'search wrapper',
        placeholder: label,
        'aria-label': label,
        value: typeof phrase === 'string' ? phrase : '',
        onChange: event => layoutActions.updateFilter(event.target.value || true),
      });
    },
  },
});

SwaggerUIBundle({
  url: new URL('openapi.json', document.currentScript.src).href,
  dom_id: '#reference',
  plugins: [search],
  filter: true,
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Makes Swagger UI readable in a narrow window, and hides what does not help here, such as a choice of one server. */
export const STYLE = `
body { margin: 0 }
.swagger-ui .info { margin: 30px 0 20px }
.swagger-ui .info .main .link, .swagger-ui .scheme-container .schemes .schemes-server-container { display: none }
.swagger-ui .scheme-container { padding: 20px 0 }
.swagger-ui input.search { display: block; box-sizing: border-box; width: calc(100% - 40px); max-width: 1420px; margin: 20px auto; padding: 10px }
.swagger-ui .info code { padding: 1px 2px; overflow-wrap: anywhere; white-space: normal }
.swagger-ui .info td, .swagger-ui .info th { padding-right: 12px }
.swagger-ui .info td:nth-of-type(2) code { white-space: nowrap }
.swagger-ui .info details { margin: 12px 0 }
.swagger-ui .info summary { cursor: pointer; font-weight: 700 }
.swagger-ui .response-col_links { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .scheme-container .schemes { padding: 0 10px }
  .swagger-ui input.search { width: calc(100% - 20px) }
  .swagger-ui .info table, .swagger-ui .info tbody, .swagger-ui .info tr { display: block }
  .swagger-ui .info thead { display: none }
  .swagger-ui .info table tbody tr td { display: inline-block; max-width: none; min-width: 0; padding: 2px 8px 2px 0 }
  .swagger-ui .info table tbody tr td:last-of-type { display: block; padding-bottom: 10px }
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag small { flex: 1 1 100%; order: 1; padding: 0 }
  .swagger-ui .opblock .opblock-summary-operation-id { display: none }
}
`;
