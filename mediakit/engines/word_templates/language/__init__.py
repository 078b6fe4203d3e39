"""The language of placeholders: values, filters, loops and conditions. It has no calls, attributes or imports."""
