/* Validates an OpenAPI document with swagger-parser. */

import SwaggerParser from "@apidevtools/swagger-parser";

await SwaggerParser.validate(process.argv[2]);
console.log("valid");
